"""Echelon as an agent of Harbor (https://pypi.org/project/harbor/), the harness of Terminal-Bench and SWE-bench Pro.

harbor run -d <dataset> -m anthropic/<model> --agent echelon_agent:Echelon --agent-kwarg engineer=true
"""

import json
import shlex
import subprocess
import tempfile
from pathlib import Path

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

# This clone, on which `npm ci` was run: node_modules holds Node too.
CLONE = Path(__file__).resolve().parents[3]
HOME = "/opt/echelon"
PASSED_ON = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")


class Echelon(BaseAgent):
    """The whole organisation, or the engineer alone (`engineer=true`). `budget`: USD for a task."""

    def __init__(self, *args, engineer: bool | str = False, budget: float | str = 5, home: str = HOME, **kwargs):
        super().__init__(*args, **kwargs)
        self.engineer = str(engineer).lower() == "true"
        self.budget = float(budget)
        self.home = home

    @staticmethod
    def name() -> str:
        return "echelon"

    def version(self) -> str | None:
        return json.loads((CLONE / "package.json").read_text())["version"]

    async def setup(self, environment: BaseEnvironment) -> None:
        # The product without what a build or a test left here.
        tracked = subprocess.check_output(["git", "ls-files"], cwd=CLONE, text=True).splitlines()
        await environment.exec(f"mkdir -p {self.home} && chmod 777 {self.home}", user="root")
        for part in sorted({"node_modules", *(path.split("/")[0] for path in tracked)}):
            source = CLONE / part
            upload = environment.upload_dir if source.is_dir() else environment.upload_file
            await upload(source, f"{self.home}/{part}")
        await self._done(environment, f"git --version && {self._node()} {self.home}/tests/eval/run.ts --help")

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        directive = f"{self.home}/directive.md"
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
            file.write(instruction)
            file.flush()
            await environment.upload_file(file.name, directive)
        options = ["--model", self._model(), "--budget", str(self.budget), "--directive", directive]
        command = " ".join([self._node(), f"{self.home}/tests/eval/run.ts", *map(shlex.quote, options)])
        # The container keeps commands from everything but the key, as it does for every agent of Harbor.
        env = {name: value for name in PASSED_ON if (value := self._get_env(name))} | {"ECHELON_ISOLATION": "none"}
        ended = await environment.exec(
            f'{command} --project "$PWD" --json {"--engineer" if self.engineer else ""}', env=env
        )
        (self.logs_dir / "echelon.log").write_text(ended.stderr or "")
        try:
            told = json.loads((ended.stdout or "").strip().splitlines()[-1])
        except (IndexError, ValueError):
            raise RuntimeError(f"echelon ended with {ended.return_code}: {(ended.stderr or '')[-2000:]}") from None
        totals = told["totals"]
        context.n_input_tokens = totals["input_tokens"]
        context.n_output_tokens = totals["output_tokens"]
        context.n_cache_tokens = sum(row["tokens"]["cache_read"] for row in told["directives"])
        context.cost_usd = totals["cost_usd"]
        context.metadata = {"calls": totals["calls"], "why": [why for row in told["directives"] for why in row["why"]]}

    def _node(self) -> str:
        return f"{self.home}/node_modules/.bin/node"

    def _model(self) -> str:
        """Echelon names Anthropic's models without their provider."""
        return (self.model_name or "anthropic").removeprefix("anthropic/")

    async def _done(self, environment: BaseEnvironment, command: str) -> None:
        ended = await environment.exec(command)
        if ended.return_code != 0:
            raise RuntimeError(f"{command} ended with {ended.return_code}: {ended.stderr or ended.stdout}")
