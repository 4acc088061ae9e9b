// The rank that is shown in numbers, and the exchange in words.

import { summaryOf } from "../model/answer.js";
import { predictedWords } from "../view/predicted.js";
import { byId, html, show } from "../view/svg.js";
import { bytesWords, operationWords, percent, wireWords } from "../view/words.js";

function cards({ spec, state, answer }) {
    const s = summaryOf(answer, state.exchange, state.rank);
    const parts = answer.layout.tiles[0].parts.join(" × ");
    const found = [
        [`${parts}${spec.tiles > 1 ? ` on each of ${spec.tiles} tiles` : ""}`, "process grid"],
        [String(s.peers), s.peers === 1 ? "peer" : "peers"],
        [`${s.sent} / ${s.received}`, "messages sent / received"],
        [`${bytesWords(s.sentBytes)} / ${bytesWords(s.receivedBytes)}`, "bytes sent / received"],
        [bytesWords(s.withinBytes), "copied within the rank"],
        [percent(s.haloShare), "of the memory is halo"],
    ];
    if (answer.question.machine) found.push([predictedWords(answer, state.exchange, state.rank), "predicted time"]);
    return found;
}

export function showSummary(shown) {
    const exchange = shown.spec.exchange[shown.state.exchange];
    show(
        byId("summary"),
        ...cards(shown).map(([number, words]) =>
            html("div", { class: "card" }, html("strong", {}, number), html("span", {}, words)),
        ),
    );
    byId("what").textContent = `${exchange.name} ${operationWords(exchange.operation)}.${wireWords(shown.spec, exchange)}`;
}
