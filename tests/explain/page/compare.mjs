// node compare.mjs HALOGEN MODEL LEAST SPEC...: does the page's JavaScript find what libhx's C code finds?
//
// For each spec, on some cells and ranks that a fixed seed chooses, `halogen explain --format json` says what one rank
// sends, receives and copies, segment by segment: destination, source, peer, offset and bytes.  The modules in MODEL work
// out the same from `halogen generate --dump tables` alone.  So do they predict times.  LEAST: fewer specs than that are a failure.
// With PROPERTY_TRIES below 1 in the environment every sixth spec is asked.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { pathToFileURL } from "node:url";
import { basename } from "node:path";

const [halogen, models, least, ...specs] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${models}/${name}.js`));
const { Answer } = await load("answer");
const { PARTS, predict } = await load("predict");
const { servedBy } = await load("cycles");
const { blocksOf, layoutCells } = await load("layout");
const CASES = 2; // of a spec

// A machine on which every part of a time counts, and its file.
const MACHINE = {
    exchange: { latency_us: 0.25 },
    self: [
        { kib: 1, latency_us: 0.5, run_ns: 10, gigabytes_per_second: 1 },
        { kib: 4, latency_us: 1, run_ns: 30, gigabytes_per_second: 0.5 },
        { kib: 64, latency_us: 2, gigabytes_per_second: 0.4, node_gigabytes_per_second: 1 },
    ],
    shared: [
        { kib: 2, latency_us: 3, run_ns: 70, gigabytes_per_second: 0.3 },
        { kib: 32, latency_us: 4, gigabytes_per_second: 0.2 },
    ],
    network: { latency_us: 9, gigabytes_per_second: 0.1, send_us: 1.5, eager_kib: 1 },
    uplink: [
        { nodes: 1, gigabytes_per_second: 0.06 },
        { nodes: 2, latency_us: 2.5, gigabytes_per_second: 0.04 },
    ],
    device: { latency_us: 5, gigabytes_per_second: 2 },
    step: { point_ns: 40 },
};
const machineFile = `${models}/../machine`;
const figures = (line) => Object.entries(line).map(([name, value]) => `${name}=${value}`);
const machineLines = Object.entries(MACHINE).flatMap(([path, of]) => [of].flat().map((line) => [path, ...figures(line)].join(" ")));
writeFileSync(machineFile, ["halogen-machine 1", ...machineLines].join("\n"));

// ---- what is asked ----------------------------------------------------------------------------------------------

// Numbers that are the same on every machine.
function dice(seed) {
    let state = seed;
    return (sides) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * sides);
    };
}

// Tiles are squares, so that whatever sides meet they fit; now and then one is too small for a halo.
function questionFor(spec, roll) {
    const side = 3 + roll(12);
    const cells = spec.axis.map(
        (_, a) => spec.cells[a] || (spec.tiles > 1 || spec.kind === "tiles" ? side : 3 + roll(14)),
    );
    const most = spec.tiles > 1 ? 4 * spec.tiles : 9;
    const ranks = 1 + roll(most);
    const question = { cells, ranks, rank: roll(ranks), byDimension: roll(2) === 1 };
    return { ...question, perNode: Math.ceil(ranks / (1 + roll(4))) };
}

function run(...options) {
    return new Promise((resolve) => {
        execFile(halogen, options, { maxBuffer: 1 << 30 }, (error, out, err) =>
            resolve({ code: error ? error.code : 0, out, err: err || String(error) }),
        );
    });
}

function ask(file, { cells, ranks, rank, byDimension, perNode }) {
    return run(
        "explain",
        file,
        "--format",
        "json",
        "--cells",
        cells.join(","),
        "--ranks",
        ranks,
        "--rank",
        rank,
        "--schedule",
        byDimension ? "by-dimension" : "one-phase",
        "--node",
        perNode,
        "--machine",
        machineFile,
    );
}

// ---- the two answers, as lines ----------------------------------------------------------------------------------

function linesOfC(found) {
    return found.exchange.flatMap(({ link }, e) =>
        link.map((l) =>
            [
                ...[e, l.phase, l.kind, l.peer, `field ${l.field}`],
                ...[`to ${l.tile}.${l.block}`, l.direction, l.lo, l.hi],
                ...[
                    `from ${l.source_tile}.${l.source_block} field ${l.source_field}`,
                    l.source_first,
                    l.axis,
                    l.turn,
                    l.sign,
                ],
                ...[`at ${l.offset} + ${l.bytes}`, l.components],
            ].join(" "),
        ),
    );
}

function linesOfMessage(exchange, m) {
    return m.segments.map((s) =>
        [
            ...[exchange, m.phase, m.kind, m.peer, `field ${s.field}`],
            ...[`to ${s.tile}.${s.block}`, s.direction, s.lo, s.hi],
            ...[`from ${s.sourceTile}.${s.sourceBlock} field ${s.sourceField}`, s.sourceFirst, s.axis, s.turn, s.sign],
            ...[`at ${s.offset} + ${s.bytes}`, s.components],
        ].join(" "),
    );
}

function linesOfPage(spec, question) {
    const { cells, ranks, rank, byDimension, perNode } = question;
    const asked = { cells: Array(spec.tiles).fill(cells), ranks, perNode, byDimension, machine: MACHINE };
    const answer = new Answer(spec, asked);
    const lines = spec.exchange.flatMap((_, e) => answer.messages(e, rank).flatMap((m) => linesOfMessage(e, m)));
    const times = spec.exchange.map((_, e) => predict(answer, e, rank));
    return { parts: answer.layout.tiles.map((tile) => tile.parts), lines, times, answer };
}

// halogen has the time of the busiest rank, which the page is given here.
function compareCycles(file, question, answer, found) {
    (found.cycle || []).forEach(({ name, served, fastest }, c) => {
        const cycle = answer.spec.cycle[c];
        const blocks = blocksOf(answer.layout, question.rank);
        if (blocks.length === 0) return;
        const { cells } = layoutCells(answer.layout, blocks[0].tile, blocks[0].block);
        const predicted = found.exchange[cycle.exchange].total.predicted.microseconds;
        const page = servedBy(answer.spec, cycle, { cells, blocks: blocks.length }, predicted, MACHINE.step.point_ns);
        const near = (x, y) => Math.abs(x - y) <= 1e-9 * (1 + x);
        const same = (row, i) =>
            page[i].cycles === row.cycles &&
            page[i].fastest === (row.cycles === fastest) &&
            near(row.points, page[i].share) &&
            near(row.exchange_microseconds, page[i].exchange) &&
            near(row.cycle_microseconds, page[i].all);
        told.cycles += 1;
        if (page.length !== served.length || !served.every(same)) fail(file, question, `cycle ${name}`, JSON.stringify(page), JSON.stringify(served));
    });
}

// ---- the comparison ---------------------------------------------------------------------------------------------

const told = { cycles: 0, specs: 0, answers: 0, refusals: 0, segments: 0, failures: 0 };

function fail(file, question, ...words) {
    told.failures += 1;
    if (told.failures <= 10) console.log(`${basename(file)} ${JSON.stringify(question)}:\n  ${words.join("\n  ")}`);
}

function pageSays(spec, question) {
    try {
        return linesOfPage(spec, question);
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return { refusal: error.message };
    }
}

function compareTimes(file, question, exchanges, times) {
    exchanges.forEach(({ name, predicted }, e) => {
        const differs = PARTS.find((part) => !(Math.abs(predicted[part] - times[e][part]) <= 1e-9 * (1 + predicted[part])));
        if (differs) fail(file, question, `${name}, ${differs}: halogen ${predicted[differs]}, page ${times[e][differs]}`);
    });
}

function compareCase(spec, file, question, said) {
    const page = pageSays(spec, question);
    if (said.code !== 0 || page.refusal) {
        if (said.code === 0) fail(file, question, `the page alone refuses: ${page.refusal}`);
        else if (!page.refusal) fail(file, question, `libhx alone refuses: ${said.err}`);
        else told.refusals += 1;
        return;
    }
    const c = JSON.parse(said.out);
    if (JSON.stringify(c.parts) !== JSON.stringify(page.parts)) {
        fail(file, question, `parts: libhx ${JSON.stringify(c.parts)}, page ${JSON.stringify(page.parts)}`);
        return;
    }
    const lines = linesOfC(c).sort();
    const ours = page.lines.sort();
    told.answers += 1;
    told.segments += lines.length;
    const at =
        ours.length > lines.length
            ? ours.findIndex((l, i) => l !== lines[i])
            : lines.findIndex((l, i) => l !== ours[i]);
    if (at >= 0) fail(file, question, `libhx: ${lines[at]}`, `page:  ${ours[at]}`);
    compareTimes(file, question, c.exchange, page.times);
    compareCycles(file, question, page.answer, c);
}

async function compareSpec(file, number) {
    const dump = await run("generate", file, "--dump", "tables");
    if (dump.code !== 0) {
        fail(file, null, dump.err);
        return;
    }
    const spec = JSON.parse(dump.out);
    if (spec.list) return;
    told.specs += 1;
    const roll = dice(1000 + number);
    for (let i = 0; i < CASES; ++i) {
        const question = questionFor(spec, roll);
        compareCase(spec, file, question, await ask(file, question));
    }
}

const every = Number(process.env.PROPERTY_TRIES ?? 1) < 1 ? 6 : 1;
const queue = specs.map((file, number) => [file, number]).filter(([, number]) => number % every === 0);
async function work() {
    for (let next = queue.shift(); next; next = queue.shift()) await compareSpec(...next);
}
await Promise.all(cpus().map(work));
console.log(
    `${told.specs} specs, ${told.answers} answers with ${told.segments} segments, ${told.refusals} refused by both, ` +
        `${told.cycles} answers about cycles, ` +
        `${told.failures} differences`,
);
const wanted = Math.floor(Number(least) / every);
if (told.specs < wanted) console.log(`there are to be ${wanted} specs`);
process.exit(told.failures === 0 && told.specs >= wanted ? 0 : 1);
