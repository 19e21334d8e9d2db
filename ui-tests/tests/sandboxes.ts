import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const bin = process.env.HPGOV_BIN ?? join(__dirname, '..', '..', '.venv', 'bin');
const token = 'screen-tests';

interface ISandbox {
  process: ChildProcess;
  url: Promise<string>;
}

/** A JupyterLab per story, each started while the one before it is looked at: a start is waiting, mostly. */
export class Sandboxes {
  constructor(
    private _stories: readonly string[],
    private _port: number
  ) {}

  /** The address of a story's JupyterLab once it answers; the next story's is being started then. */
  async open(story: string): Promise<string> {
    const at = this._stories.indexOf(story);
    const url = await this._start(at).url;
    if (at + 1 < this._stories.length) {
      this._start(at + 1);
    }
    return url;
  }

  async close(story: string): Promise<void> {
    const at = this._stories.indexOf(story);
    const running = this._up.get(at);
    this._up.delete(at);
    if (running && running.process.exitCode === null) {
      const gone = new Promise(resolve =>
        running.process.once('exit', resolve)
      );
      running.process.kill('SIGTERM');
      await gone;
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all(
      [...this._up.keys()].map(at => this.close(this._stories[at]))
    );
  }

  private _start(at: number): ISandbox {
    const before = this._up.get(at);
    if (before) {
      return before;
    }
    const port = this._port + at;
    const process_ = spawn(
      join(bin, 'python'),
      [
        '-m',
        'hpgov_jlab.cli',
        'sandbox',
        '--no-browser',
        '--port',
        `${port}`,
        '--scenario',
        this._stories[at]
      ],
      {
        cwd: join(__dirname, '..', '..'),
        env: { ...process.env, JUPYTER_TOKEN: token },
        stdio: 'ignore'
      }
    );
    const sandbox = {
      process: process_,
      url: answers(`http://127.0.0.1:${port}/lab?token=${token}`, process_)
    };
    // who opens it is told; a story that nobody opens any more is no failure of another one
    sandbox.url.catch(() => undefined);
    this._up.set(at, sandbox);
    return sandbox;
  }

  private _up = new Map<number, ISandbox>();
}

async function answers(url: string, from: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    if (from.exitCode !== null) {
      break;
    }
    try {
      if ((await fetch(url)).ok) {
        return url;
      }
    } catch {
      // not up yet
    }
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  throw new Error(`the sandbox did not come up at ${new URL(url).origin}`);
}
