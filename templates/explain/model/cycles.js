// What it takes that an exchange serves several cycles: gen/lua/explain/cycles.lua, in the page.

import { pointsOf } from "./layout.js";

const FIRST_CYCLES = 6; // numbers of cycles that are shown, and the last

// That all steps compute of a block, in a cycle that so many follow before the next exchange; follow null: of owned points.
function pointsOfCycle(spec, cycle, cells, follow) {
    const layers = (step, a) => (follow === null ? 0 : step.layers[follow].lo[a] + step.layers[follow].hi[a]);
    const box = (step, field) => pointsOf(spec, field, cells).reduce((product, n, a) => product * (n + layers(step, a)), 1);
    return cycle.step.reduce((sum, step) => step.writes.reduce((inner, field) => inner + box(step, field), sum), 0);
}

// For each number of cycles, from 1 on: { cycles, points of a cycle, share of the owned points, exchange in microseconds, and those of
// all; fastest }.  predicted: microseconds of the exchange, or null; pointNs: of a point, or undefined.
export function servedBy(spec, cycle, { cells, blocks }, predicted, pointNs) {
    const owned = pointsOfCycle(spec, cycle, cells, null);
    const served = [];
    for (let cycles = 1, sum = 0; cycles <= cycle.most; ++cycles) {
        sum += pointsOfCycle(spec, cycle, cells, cycles - 1);
        const exchange = predicted === null ? null : predicted / cycles;
        const points = sum / cycles;
        const all = exchange === null || pointNs === undefined ? null : exchange + 1e-3 * pointNs * blocks * points;
        served.push({ cycles, share: points / owned, exchange, all });
    }
    const best = served.reduce((least, row) => (row.all !== null && row.all < least.all ? row : least), served[0]);
    return served
        .map((row) => ({ ...row, fastest: row === best && row.all !== null }))
        .filter((row) => row.cycles <= FIRST_CYCLES || row.cycles === cycle.most || row.fastest);
}
