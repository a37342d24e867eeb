import express from 'express';

// What the probes are measured against: Express, one route, JSON of about the size of /api/status.
const app = express();
const status = {
  jre: { installed: true, version: '17.0.15', valid: true },
  ring: { installed: true, version: '0.19.5-12', valid: true },
  ready: true,
};
app.get('/api/status', (_req, res) => res.json(status));
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
