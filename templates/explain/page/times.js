// The sections of times: predicted ones of a page that was made with a machine file, measured ones and statistics of a run's.

import { cyclesShown } from "../view/cycles.js";
import { measuredPicture, measuredTable, transportTable } from "../view/measured.js";
import { predictedPicture, predictedTable } from "../view/predicted.js";
import { statisticsPicture, statisticsTables, statisticsWords } from "../view/statistics.js";
import { byId, show } from "../view/svg.js";

export function showPredicted({ state, answer }, choose) {
    const { machine } = answer.question;
    byId("predicted-section").hidden = !machine;
    if (!machine) return;
    const made = predictedPicture(answer, state.exchange, state.rank, (rank) => choose.rank(rank));
    byId("predicted-figure").hidden = made === null;
    if (made) show(byId("predicted-place"), made);
    show(byId("predicted-table"), predictedTable(answer, state.rank));
}

// What is between exchanges, if the spec says it.
export function showCycles({ spec, run, state, answer }) {
    byId("cycles-section").hidden = spec.cycle.length === 0;
    if (spec.cycle.length > 0) show(byId("cycles-tables"), ...cyclesShown(answer, run, state.rank));
}

// Times and transports in place of what would be.
export function showMeasured({ spec, run, state }, choose) {
    byId("measured-section").hidden = !run;
    if (!run) return;
    const { name } = spec.exchange[state.exchange];
    const made = measuredPicture(run, name, state.rank, (rank) => choose.rank(rank));
    byId("measured-figure").hidden = made === null;
    if (made) show(byId("measured-place"), made);
    show(byId("measured-table"), measuredTable(run, spec, state.rank), transportTable(run, name, state.rank));
    byId("measured-host").textContent = run.ranks[state.rank] ? run.ranks[state.rank].host : "a host that is not known";
}

// Who waited for whom, where --stats was given.
export function showStatistics({ spec, run, state }, choose) {
    const statistics = run && run.statistics;
    byId("statistics-section").hidden = !statistics;
    if (!statistics) return;
    const { name } = spec.exchange[state.exchange];
    const made = statisticsPicture(statistics, name, state.rank, (rank) => choose.rank(rank));
    byId("statistics-figure").hidden = made === null;
    if (made) show(byId("statistics-place"), made);
    show(byId("statistics-table"), ...statisticsTables(statistics, state.rank, (rank) => choose.rank(rank)));
    byId("statistics-words").textContent = statisticsWords(statistics);
}
