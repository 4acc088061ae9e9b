// The page: what it shows at first, and how it is drawn anew when something is chosen or asked.

import { questionOfRun } from "../model/run.js";
import { byId } from "../view/svg.js";
import { showBlock } from "./block.js";
import { choices } from "./choose.js";
import { fillControls } from "./controls.js";
import { listen } from "./listen.js";
import { showMap } from "./map.js";
import { showMessages } from "./message.js";
import { showNeighbors } from "./neighbors.js";
import { answerOf, firstState, fromAddress, settle, toAddress } from "./state.js";
import { showSummary } from "./summary.js";
import { showCycles, showMeasured, showPredicted, showStatistics } from "./times.js";
import { tellOfPoint } from "./told.js";
import { showTraffic } from "./traffic.js";

// What all parts of the page look at; run: what a run wrote, or none.
const { spec, run, ...given } = JSON.parse(byId("data").textContent);
const question = run ? questionOfRun(spec, run) : given.question;
const shown = { spec, run, state: question ? firstState(spec, question) : null, answer: null }; // a list of points has none
const choose = choices(shown, draw);

function say(words) {
    byId("refused").textContent = words;
    byId("refused").hidden = !words;
}

function draw() {
    settle(spec, shown.state, shown.answer);
    fillControls(shown);
    showSummary(shown);
    showBlock(shown, choose);
    tellOfPoint(shown);
    showNeighbors(shown, choose);
    showMap(shown, choose);
    showMessages(shown, choose);
    showTraffic(shown, choose);
    showPredicted(shown, choose);
    showCycles(shown);
    showMeasured(shown, choose);
    showStatistics(shown, choose);
    history.replaceState(null, "", toAddress(shown.state));
}

// Asks again; what cannot be is told in words, and the last answer stays.
function ask(change) {
    const { state } = shown;
    const before = { ...state.question };
    try {
        change(state.question);
        const fresh = answerOf(spec, state);
        fresh.segments(state.exchange);
        shown.answer = fresh;
        say("");
        draw();
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        state.question = before;
        say(error.message);
    }
}

// Answers what the address asks, or where that cannot be, what halogen was asked.
function firstAnswer() {
    fromAddress(spec, shown.state, window.location.hash, Boolean(run));
    try {
        return answerOf(spec, shown.state);
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        say(error.message);
        Object.assign(shown.state, firstState(spec, question));
        return answerOf(spec, shown.state);
    }
}

function begin() {
    if (spec.list || spec.exchange.length === 0) {
        byId("main").hidden = true;
        say(
            spec.list
                ? "The grid of this spec is a list of points. Who exchanges what is known when lists are given to create, so there is nothing to draw before a run."
                : "This spec has no exchange.",
        );
        return;
    }
    shown.answer = firstAnswer();
    listen(shown, { ask, draw, choose });
    draw();
    document.documentElement.dataset.ready = "yes";
}

begin();
