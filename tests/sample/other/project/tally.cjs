// Adds up a time sheet: lines of `minutes project` on stdin, one total for each project on stdout.
const { readFileSync } = require('node:fs');

const totals = new Map();
for (const [index, line] of readFileSync(0, 'utf8').split('\n').entries()) {
  if (line.trim() === '') continue;
  const entry = /^\s*(\d+)\s+(\S.*?)\s*$/.exec(line);
  if (entry === null) {
    console.error(`line ${index + 1}: minutes and a project are needed, not "${line}"`);
    process.exit(1);
  }
  const [, minutes, project] = entry;
  totals.set(project, (totals.get(project) ?? 0) + Number(minutes));
}

for (const project of [...totals.keys()].sort()) console.log(`${totals.get(project)} ${project}`);
