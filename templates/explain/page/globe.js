// The globe, and how arrow keys and dragging turn it.

import { globePicture } from "../view/globe.js";
import { byId, show } from "../view/svg.js";

const KEYS = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, 0.15], ArrowDown: [0, -0.15] };
const STEEPEST = 1.5; // just short of a pole, where left and right would change places
const PIXELS = 160; // of dragging, for a radian

export function showGlobe({ state, answer }, choose) {
    show(byId("globe-place"), globePicture(answer, state, state.turn, choose.rank));
}

export function turnByHand(shown, choose) {
    const turn = (east, north) => {
        const now = shown.state.turn;
        now.east += east;
        now.north = Math.max(-STEEPEST, Math.min(STEEPEST, now.north + north));
        showGlobe(shown, choose);
    };
    const place = byId("globe-place");
    place.addEventListener("keydown", (event) => {
        const by = KEYS[event.key];
        if (!by) return;
        event.preventDefault();
        turn(...by);
    });
    place.addEventListener("pointermove", (event) => {
        if (event.buttons === 1) turn(event.movementX / PIXELS, event.movementY / PIXELS);
    });
}
