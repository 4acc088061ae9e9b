// node compare.mjs HALOGEN MODEL LEAST SPEC...: does the page's JavaScript find what libhx's C code finds?
//
// For each spec, on some cells and ranks that a fixed seed chooses, `halogen explain --format json` says what one rank
// sends, receives and copies, segment by segment: destination, source, peer, offset and bytes.  The modules in MODEL work
// out the same from `halogen generate --dump tables` alone.  LEAST: fewer specs than that are a failure.

import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { pathToFileURL } from "node:url";
import { basename } from "node:path";

const [halogen, models, least, ...specs] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${models}/${name}.js`));
const { Answer } = await load("answer");
const CASES = 2; // of a spec

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
    return { cells, ranks, rank: roll(ranks), byDimension: roll(2) === 1 };
}

function run(...options) {
    return new Promise((resolve) => {
        execFile(halogen, options, { maxBuffer: 1 << 30 }, (error, out, err) =>
            resolve({ code: error ? error.code : 0, out, err: err || String(error) }),
        );
    });
}

function ask(file, { cells, ranks, rank, byDimension }) {
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
    const { cells, ranks, rank, byDimension } = question;
    const answer = new Answer(spec, { cells: Array(spec.tiles).fill(cells), ranks, perNode: ranks, byDimension });
    const lines = spec.exchange.flatMap((_, e) => answer.messages(e, rank).flatMap((m) => linesOfMessage(e, m)));
    return { parts: answer.layout.tiles.map((tile) => tile.parts), lines };
}

// ---- the comparison ---------------------------------------------------------------------------------------------

const told = { specs: 0, answers: 0, refusals: 0, segments: 0, failures: 0 };

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

const queue = specs.map((file, number) => [file, number]);
async function work() {
    for (let next = queue.shift(); next; next = queue.shift()) await compareSpec(...next);
}
await Promise.all(cpus().map(work));
console.log(
    `${told.specs} specs, ${told.answers} answers with ${told.segments} segments, ${told.refusals} refused by both, ` +
        `${told.failures} differences`,
);
if (told.specs < Number(least)) console.log(`there are to be ${least} specs`);
process.exit(told.failures === 0 && told.specs >= Number(least) ? 0 : 1);
