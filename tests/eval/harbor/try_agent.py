"""Plays a directive by the agent in an environment of Harbor's that is a folder here: try_agent.py <project> <model> <home>."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.models.agent.context import AgentContext

from echelon_agent import Echelon


class Folder(BaseEnvironment):
    """Commands run on this machine, in the project. Nothing of a definition is needed."""

    def __init__(self, project: Path):
        self.project = project

    @staticmethod
    def type() -> str:
        return "folder"

    def _validate_definition(self):
        pass

    async def start(self, force_build: bool) -> None:
        pass

    async def stop(self, delete: bool):
        pass

    async def upload_file(self, source_path, target_path):
        shutil.copyfile(source_path, target_path)

    async def upload_dir(self, source_dir, target_dir):
        os.symlink(source_dir, target_dir)

    async def download_file(self, source_path, target_path):
        shutil.copyfile(source_path, target_path)

    async def download_dir(self, source_dir, target_dir):
        shutil.copytree(source_dir, target_dir)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None) -> ExecResult:
        ran = subprocess.run(
            command, shell=True, cwd=cwd or self.project, env={**os.environ, **(env or {})}, capture_output=True, text=True
        )
        return ExecResult(stdout=ran.stdout, stderr=ran.stderr, return_code=ran.returncode)


async def main(project: str, model: str, home: str) -> None:
    environment = Folder(Path(project))
    with tempfile.TemporaryDirectory() as logs:
        agent = Echelon(logs_dir=Path(logs), model_name=model, home=home, engineer="true")
        await agent.setup(environment)
        context = AgentContext()
        await agent.run(sys.stdin.read(), environment, context)
    print(json.dumps(context.model_dump()))


asyncio.run(main(*sys.argv[1:]))
