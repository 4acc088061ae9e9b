// Cycles of the spec: how many points each number of them makes, and how long they take.

import { blocksOf, layoutCells } from "../model/layout.js";
import { servedBy } from "../model/cycles.js";
import { predict } from "../model/predict.js";
import { secondsWords } from "./bars.js";
import { html, table } from "./svg.js";

const inWords = (microseconds) => secondsWords(microseconds * 1e-6);

function tableOf(answer, cycle, rank) {
    const { spec, layout, question } = answer;
    const blocks = blocksOf(layout, rank);
    if (blocks.length === 0) return html("p", {}, `Rank ${rank} owns nothing.`);
    const { cells } = layoutCells(layout, blocks[0].tile, blocks[0].block);
    const found = predict(answer, cycle.exchange, rank);
    const predicted = found && !found.lacks ? found.microseconds : null;
    const { step } = question.machine || {};
    const served = servedBy(spec, cycle, { cells, blocks: blocks.length }, predicted, step && step.point_ns);
    const heads = ["cycles", "points per owned one", "the exchange, for each cycle", "a cycle"];
    const columns = served.some((row) => row.all !== null) ? 4 : predicted !== null ? 3 : 2;
    const rows = served.map((row) =>
        [row.cycles, row.share.toFixed(2), row.exchange === null ? "" : inWords(row.exchange), row.all === null ? "" : inWords(row.all)]
            .map(String)
            .slice(0, columns),
    );
    const caption = `Cycle ${cycle.name}: one exchange ${spec.exchange[cycle.exchange].name} serves so many cycles`;
    return table(
        caption,
        heads.slice(0, columns),
        rows,
        served.findIndex((row) => row.fastest),
    );
}

// What a run chose; null: it says nothing of cycles.
function chosenWords(run, number, rank) {
    const told = run && run.ranks[rank] && run.ranks[rank].cycles && run.ranks[rank].cycles[number];
    if (!told) return null;
    return told.serves > 0
        ? `In the run one exchange served ${told.serves} of at most ${told.most}, by ${told.by}.`
        : "In the run the first cycles were still measured.";
}

export function cyclesShown(answer, run, rank) {
    return answer.spec.cycle.flatMap((cycle, number) => {
        const steps = cycle.step.map((step) => html("li", {}, `${step.name} ${step.text}`));
        const words = chosenWords(run, number, rank);
        return [html("ul", {}, ...steps), tableOf(answer, cycle, rank), ...(words ? [html("p", {}, words)] : [])];
    });
}
