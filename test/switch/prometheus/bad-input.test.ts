import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../helpers/folder.ts';
import { askAndRead, askServer, documentOf, port, seriesOf, siteWith } from './fake-prometheus.ts';

const one = seriesOf('ifInErrors', port(1), [20, '7'], [5, '9']);

describe('what is no answer is told with the address, what was wrong and what would be right', () => {
  it('nobody listens', async () => {
    const { code, failure } = await askAndRead(siteWith({ url: 'http://127.0.0.1:9' }));
    expect(code).toBe('notAsked');
    expect(failure).toMatch(
      /^Prometheus at http:\/\/127\.0\.0\.1:9: .*[Cc]onnect.*; is it running, and is that its port\?/,
    );
  });

  const cases: Readonly<Record<string, readonly [status: number, type: string, body: string, told: RegExp]>> =
    {
      'no token': [
        401,
        'text/plain',
        'Unauthorized',
        /HTTP 401: Unauthorized; it wants a token: set prometheus\.token/,
      ],
      'no leave': [403, 'text/plain', 'no', /HTTP 403: no; the token may not query/],
      'no such path': [
        404,
        'text/html',
        '<html>',
        /HTTP 404: <html>; nothing answers at \/api\/v1\/query there/,
      ],
      'not started': [503, 'text/plain', 'Unavailable', /HTTP 503: Unavailable; it has not started yet/],
      'a login page': [
        200,
        'text/html',
        '<html>',
        /a page of text\/html came and no answer; prometheus\.url is/,
      ],
      nothing: [200, 'application/json', '', /a page of application\/json came and no answer/],
      'a bad query': [
        400,
        'application/json',
        '{"status":"error","error":"parse error"}',
        /HTTP 400: parse error/,
      ],
      'a time-out of its own': [
        200,
        'application/json',
        '{"status":"error","errorType":"timeout","error":"query timed out"}',
        /it refuses the query: timeout: query timed out/,
      ],
      'another document': [200, 'application/json', '{"a":1}', /no answer of the HTTP API of Prometheus/],
      'a document 5,000 levels deep': [
        200,
        'application/json',
        `${'{"a":'.repeat(5000)}1`,
        /no JSON, or it ends in the middle/,
      ],
      'half a document': [
        200,
        'application/json',
        documentOf([one]).slice(0, -20),
        /no JSON, or it ends in the middle/,
      ],
      'another kind of list': [
        200,
        'application/json',
        '{"status":"success","data":{"resultType":"vector","result":[]}}',
        /no list of samples/,
      ],
      'an answer that says that it is not whole': [
        200,
        'application/json',
        documentOf([one], { warnings: ['store 10.0.0.7 is away'] }),
        /its answer is not whole: store 10\.0\.0\.7 is away; mend what it warns of/,
      ],
    };

  it.each(Object.keys(cases))('%s', async (name) => {
    const [status = 0, type = '', body = '', told = /^$/] = cases[name] ?? [];
    const { failure, value, url } = await askServer((_request, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    });
    expect(value).toBeUndefined();
    expect(failure).toContain(`Prometheus at ${url}: `);
    expect(failure).toMatch(told);
  });

  it('a redirect is not followed: a token would go there', async () => {
    const { failure, requests } = await askServer((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/login' });
      response.end();
    });
    expect(failure).toMatch(/it sends to http:\/\/127\.0\.0\.1:9\/login, where a token does not go; put/);
    expect(requests).toHaveLength(1);
  });

  it('a hundred megabytes are cut on the host, and no part of them is read', async () => {
    const chunk = Buffer.alloc(1_000_000, ' ');
    const { failure, code } = await askServer((_request, response) => {
      response.write('{"status":"success","data":');
      let left = 100;
      const more = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    expect(code).toBe('tooLarge');
    expect(failure).toMatch(/more than 64 MB came; narrow it with prometheus\.match/);
  });

  it('a server whose clock is not that of the host: how old its samples are is not known', async () => {
    const { failure } = await askServer((_request, response) => {
      response.writeHead(200, { date: new Date(Date.now() + 600_000).toUTCString() });
      response.end(documentOf([one]));
    });
    expect(failure).toMatch(
      /its clock says .*, that of the host .*: how old its samples are is not known; set both/,
    );
  });
});

describe('what is said of one host', () => {
  const asked = async (series: readonly object[], more = {}) => {
    const { value } = await askServer((_request, response) => response.end(documentOf(series)), more);
    const of = (host: string) => value?.given.find((given) => given.host === host);
    return { of, value };
  };

  it('a sample from the future is none', async () => {
    const { of } = await asked([seriesOf('ifInErrors', port(1), [-90, '7'])]);
    expect(of('sw1')?.samples).toBeUndefined();
    expect(of('sw1')?.why?.what).toMatch(/its sample is \d+ (?:min|s) ahead of the clock of admin1$/);
  });

  it('a sample older than is asked for is none', async () => {
    const { of } = await asked([seriesOf('ifInErrors', port(1), [400, '7'])]);
    expect(of('sw1')).toMatchObject({
      why: { what: expect.stringMatching(/^the last sample that Prometheus has of it is 6 min/) },
    });
  });

  it('an absent host is not read, and an instance that nobody is called is named', async () => {
    const { of, value } = await asked([
      seriesOf('ifInErrors', port(1), [5, '7']),
      seriesOf('ifInErrors', port(1, { instance: '10.9.8.7:9116' }), [5, '7']),
    ]);
    expect(of('sw1')?.samples).toHaveLength(1);
    expect(of('sw2')?.samples).toBeUndefined();
    expect(of('sw2')?.why).toEqual({
      what: "Prometheus has no sample of it by snmp_exporter's if_mib within 2 min",
      next: 'is it one of 10.9.8.7:9116, which no host here is called? See prometheus.label',
    });
    expect(of('n1')?.why?.what).toMatch(/no sample of it by node_exporter/);
    expect(value?.strangers).toEqual(['10.9.8.7:9116']);
  });

  it('two targets for one host: neither is believed, and the label that tells them apart is named', async () => {
    const { of } = await asked([
      seriesOf('ifInErrors', port(1), [5, '7']),
      seriesOf('ifInErrors', port(1, { cluster: 'other' }), [3, '9']),
    ]);
    expect(of('sw1')?.samples).toBeUndefined();
    expect(of('sw1')?.why).toEqual({
      what: 'Prometheus has 2 targets for it: cluster is other, not there',
      next: 'choose one by prometheus.match: {cluster: other}',
    });
  });

  it('two series for one port: that port is not read, and counted; the others are', async () => {
    const { of } = await asked([
      seriesOf('ifInErrors', port(1), [5, '7']),
      seriesOf('ifInErrors', port(1, { ifAlias: 'x' }), [5, '900']),
      seriesOf('ifInErrors', port(2), [5, '1']),
    ]);
    const [sample] = of('sw1')?.samples ?? [];
    expect(sample?.value.ports.map(({ port: name }) => name)).toEqual(['te1/2']);
    expect(sample?.notUnderstood).toBe(1);
  });

  it('a series that the last scrape did not renew is gone, and no second one', async () => {
    const { of } = await asked([
      seriesOf('ifInErrors', port(1, { ifAlias: 'old' }), [20, '7']),
      seriesOf('ifInErrors', port(1, { ifAlias: 'new' }), [5, '8']),
      seriesOf('ifInErrors', port(2), [20, '1']),
    ]);
    const counts = of('sw1')?.samples?.map(({ value: { ports } }) =>
      ports.map((one) => [one.port, one.counts['rxErrors']]),
    );
    expect(counts).toEqual([
      [
        ['te1/1', 7n],
        ['te1/2', 1n],
      ],
      [['te1/1', 8n]],
    ]);
  });

  it('names and labels are hostile text: no port, no host', async () => {
    const { of, value } = await asked([
      seriesOf('ifInErrors', { ifIndex: '1', ifName: 'Te1/1\u001B[31m' }, [5, '7']),
      seriesOf('ifInErrors', port(2, { instance: 'sw2\u202E' }), [5, '7']),
      seriesOf('ifInErrors', port(3, { __proto__: 'x' }), [5, '7']),
    ]);
    const [sample] = of('sw1')?.samples ?? [];
    expect(sample).toMatchObject({ notUnderstood: 1, value: { ports: [{ port: 'te1/3' }] } });
    expect(of('sw2')?.samples).toBeUndefined();
    expect(value?.strangers).toEqual(['sw2\u202E']);
  });
});

describe('the token', () => {
  const folder = emptyFolder('token');
  const file = join(folder, 'token');
  const answer = documentOf([one]);

  it('goes along from a file, and stands in nothing that is sent or told', async () => {
    writeFileSync(file, 'abc.DEF-1_2~3+4/5==\n');
    const { requests, said, value } = await askServer((_request, response) => response.end(answer), {
      tokenFile: file,
    });
    expect(requests[0]?.headers.authorization).toBe('Bearer abc.DEF-1_2~3+4/5==');
    expect(value?.given).toHaveLength(3);
    expect(said).not.toContain('abc.DEF');
  });

  it('goes along from a command', async () => {
    const { requests, said } = await askServer((_request, response) => response.end(answer), {
      tokenCommand: ['printf', '%s', 'tok"en'].map((word) => word.replace('"', '')),
    });
    expect(requests[0]?.headers.authorization).toBe('Bearer token');
    expect(said).toContain('curl ended: 0');
  });

  it.each([
    [{ tokenFile: join(folder, 'none') }, /no token: cat: .*No such file.*; see prometheus\.tokenFile/],
    [{ tokenCommand: ['printf', 'a"b\\nurl = http://x'] }, /no token: what was read holds other characters/],
    [{ tokenCommand: ['true'] }, /no token: it is empty; see prometheus\.tokenCommand: true/],
    [{ tokenCommand: ['sh', '-c', 'echo locked >&2; exit 1'] }, /no token: locked/],
  ])('%o: nothing is asked without it', async (more, told) => {
    const { failure, code, requests } = await askServer((_request, response) => response.end(answer), more);
    expect(code).toBe('token');
    expect(failure).toMatch(told);
    expect(requests).toEqual([]);
  });
});
