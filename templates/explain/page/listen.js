// What the controls ask for when they are changed.

import { step } from "../view/block.js";
import { byId } from "../view/svg.js";
import { readCells, readNumber } from "./controls.js";
import { turnByHand } from "./globe.js";
import { savePicture } from "./save.js";

// What each control changes: what is looked at, or the question.
function changes({ spec, state }) {
    const chosen = (id) => Number(byId(id).value);
    return {
        exchange() {
            state.exchange = chosen("exchange");
            state.segment = null;
        },
        field() {
            state.field = chosen("field");
        },
        rank() {
            state.rank = chosen("rank");
        },
        block() {
            state.block = chosen("block");
        },
        plane() {
            state.plane = byId("plane").value.split(",").map(Number);
        },
        ranks(question) {
            question.ranks = readNumber("ranks", "ranks");
            Object.assign(question, { parts: null, owners: null, cuts: null, nodes: null });
        },
        "per-node"(question) {
            question.perNode = readNumber("per-node", "ranks a node");
            question.nodes = null;
        },
        schedule(question) {
            question.byDimension = byId("schedule").value === "dimension";
        },
        cells(question) {
            question.cells = readCells(spec, state);
            Object.assign(question, { parts: null, cuts: null });
        },
    };
}

// Indices along the axes that the picture does not show.
function listenToDeeper({ state }, draw) {
    byId("deeper").addEventListener("change", () => {
        for (const input of byId("deeper").querySelectorAll("input"))
            state.point[Number(input.dataset.axis)] = Math.floor(Number(input.value));
        draw();
    });
}

function listenToMessage(shown, choose) {
    byId("message").addEventListener("change", () => {
        const { state, answer } = shown;
        const message = answer.messages(state.exchange, state.rank)[Number(byId("message").value)];
        choose.segment(message, message.segments[0]);
    });
}

function listenToKeys(shown, choose) {
    byId("block-place").addEventListener("keydown", (event) => {
        const next = step(shown.answer, shown.state, event.key);
        if (!next) return;
        event.preventDefault();
        choose.point(next, true);
    });
}

// ask(change): asks the question anew; draw(): draws all; choose: as of choose.js.
export function listen(shown, { ask, draw, choose }) {
    for (const [id, change] of Object.entries(changes(shown))) {
        byId(id).addEventListener("change", () => ask(change));
    }
    listenToDeeper(shown, draw);
    listenToMessage(shown, choose);
    listenToKeys(shown, choose);
    turnByHand(shown, choose);
    for (const made of document.querySelectorAll(".save"))
        made.addEventListener("click", () => savePicture(shown.spec.name, made.dataset.of));
}
