// The programs of others that can carry a director out: how each is started, and what it is told.
import type { SessionRequest } from '../../reasoning/request.ts';
import type { EngineName } from './engine.ts';

export interface EngineProgram {
  name: Exclude<EngineName, 'native'>;
  /** As it is found on PATH. */
  program: string;
  /** Command that installs it. */
  install: string;
  /** The variable from which it knows where its model is asked. */
  address: string;
  /** `home`: its own, which is empty. The prompt comes by stdin. */
  args(request: Pick<SessionRequest, 'model'>, home: string): string[];
  /** `token`: what it shows in place of a key. */
  env(token: string, request: Pick<SessionRequest, 'model' | 'limits'>): Record<string, string>;
  /** Shell that is run before it; and a folder of the tree that it made, to be taken away. */
  first?: { command: string; makes: string };
  /** Its last words, as people should read them. */
  said?(text: string): string;
}

const tools = 'Bash,Read,Edit,Write,Glob,Grep';

/** https://code.claude.com/docs/en/cli-reference */
const claudeCode: EngineProgram = {
  name: 'claude-code',
  program: 'claude',
  install: 'npm install --global @anthropic-ai/claude-code',
  address: 'ANTHROPIC_BASE_URL',
  args: ({ model }) => [
    // Nothing of the repository's own settings counts: no hooks, no servers of tools.
    ...['--print', '--setting-sources', '', '--strict-mcp-config', '--disable-slash-commands'],
    ...['--tools', tools, '--allowedTools', tools, '--permission-mode', 'acceptEdits'],
    ...['--permission-prompts', 'none', '--no-session-persistence', '--model', model],
  ],
  env: (token, { model, limits }) => ({
    ANTHROPIC_API_KEY: token,
    // Side calls go to the same model: another one is not served.
    ANTHROPIC_SMALL_FAST_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.output_tokens),
    // A line of the system text that differs from call to call would keep it from being cached.
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    API_TIMEOUT_MS: String(limits.time_ms),
    // Failed calls were retried before they reached the program.
    CLAUDE_CODE_MAX_RETRIES: '0',
  }),
};

const identity = 'git -c user.name=engine -c user.email=engine@localhost';

/** https://aider.chat/docs/config/options.html */
const aider: EngineProgram = {
  name: 'aider',
  program: 'aider',
  install: 'pipx install aider-chat',
  address: 'ANTHROPIC_API_BASE',
  args: ({ model }, home) => [
    ...['--message-file', `${home}/message`, '--chat-history-file', `${home}/chat`],
    ...['--input-history-file', `${home}/input`, '--edit-format', 'diff'],
    // The last message is its answer, not a summary of the conversation.
    ...['--max-chat-history-tokens', '10000000'],
    ...['--yes-always', '--no-auto-commits', '--no-dirty-commits'],
    ...['--no-gitignore', '--no-pretty', '--no-fancy-input', '--no-stream', '--no-check-update'],
    ...['--no-analytics', '--no-show-model-warnings', '--no-show-release-notes', '--no-auto-lint'],
    ...['--no-suggest-shell-commands', '--no-detect-urls'],
    ...['--model', `anthropic/${model}`, '--weak-model', `anthropic/${model}`],
  ],
  env: token => ({ ANTHROPIC_API_KEY: token, LITELLM_LOCAL_MODEL_COST_MAP: 'True' }),
  // It knows the files of a repository by git only, and the checkout's own is not shown to it.
  first: {
    command: `cat > "$HOME/message"; git init --quiet . && git add --all && ${identity} commit --quiet --message base`,
    makes: '.git',
  },
  said: text =>
    text.replace(/^[^\n]*\n```[^\n]*\n<{5,9} SEARCH\n[\s\S]*?\n>{5,9} REPLACE\n```\n?/gm, '').trim(),
};

export const enginePrograms = { 'claude-code': claudeCode, aider } as const;
