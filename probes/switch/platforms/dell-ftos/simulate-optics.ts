import type { SimPort } from '../../simulate/network.ts';

const milliwatts = (dbm: number): string => (10 ** (dbm / 10)).toFixed(3);

/** `show interfaces PORT transceiver`. */
export const moduleText = (port: SimPort): string => {
  const head = `SFP+ ${/(\d+)$/.exec(port.name)?.[1] ?? '0'}`;
  const line = (key: string, value: string): string => `${head} ${key.padEnd(34)}= ${value}`;
  const rule = '===================================';
  return [
    `${head} Serial Base ID fields`,
    line('Id', '0x03'),
    line('Vendor Name', 'FINISAR CORP.'),
    `${head} Diagnostic Information`,
    rule,
    line('Rx Power measurement type', 'Average'),
    rule,
    line('Temp High Alarm threshold', '78.000C'),
    line('Voltage High Alarm threshold', '3.700V'),
    line('Bias High Alarm threshold', '11.800mA'),
    line('TX Power High Alarm threshold', '0.832mW'),
    line('RX Power High Alarm threshold', '1.000mW'),
    line('TX Power Low Alarm threshold', '0.182mW'),
    line('RX Power Low Alarm threshold', '0.050mW'),
    line('TX Power High Warning threshold', '0.661mW'),
    line('RX Power High Warning threshold', '0.794mW'),
    line('TX Power Low Warning threshold', '0.229mW'),
    line('RX Power Low Warning threshold', '0.079mW'),
    rule,
    line('Temperature', '30.285C'),
    line('Voltage', '3.303V'),
    line('Tx Bias Current', '5.708mA'),
    line('Tx Power', `${milliwatts(port.tx)}mW`),
    line('Rx Power', `${milliwatts(port.rx)}mW`),
    rule,
    '',
  ].join('\n');
};
