/** Tests and scripts run on the Node of `node_modules/.bin` (24): a silent fall back to the system's Node 20 hides faults. */
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `faultline needs Node 24 or newer, this is ${process.versions.node}: run "npm ci" again (its "node" package brings Node 24) and start through "npm run"\n`,
  );
  process.exit(1);
}
