// What is asked of the studio. Paths are relative to the page, whose address holds the token.

class Refused extends Error {}

async function ask(path, body) {
  const asked =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        };
  let response;
  try {
    response = await fetch(path, asked);
  } catch {
    throw new Refused('the studio does not answer; was it ended?');
  }
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error);
  return answer;
}

export const fetchMenu = () => ask('menu');
export const fetchProgram = (name) => ask('program', { name });
export const beginRun = (name, text, options) => ask('run', { name, text, options });
export const lookAtRun = (run, from) => ask(`run/${run}?from=${from}`);
export const stopRun = (run) => ask(`run/${run}/stop`, {});
export const fetchOutcome = (run) => ask(`run/${run}/outcome.json`);
export const reportAddress = (run) => `run/${run}/report.html`;
export const outcomeAddress = (run) => `run/${run}/outcome.json`;
export const scheduleAddress = (run, number) => `run/${run}/${number}.schedule`;
