package dev.tilewright.space.family;

import dev.tilewright.space.family.Sm90Config.Mode;
import java.util.List;

/**
 * Dynamic shared memory of a CTA of {@code sm90-gemm}: stages, panels of the epilogue, barriers of the stages, and for
 * a dynamic scheduler the records and barriers of its ring.
 */
final class Sm90SharedMemory {

    /** The parameters that decide it, beside the operands, which are the problem's. */
    static final List<String> PARAMETERS = List.of(
            "scheduler", "mode", "consumers", "tileM", "tileN", "tileK", "loadStages", "epilogueN", "epilogueStages");

    private static final int RING_RECORD_BYTES = 16;
    private static final int BARRIER_BYTES = 8;
    private static final int PANEL_ALIGNMENT = 1024;

    private Sm90SharedMemory() {}

    /** Slots of the scheduler's ring; 0 without one. */
    static int ringSlots(Sm90Values values) {
        return values.scheduler().dynamic() ? dynamicSlots(values) : 0;
    }

    private static int dynamicSlots(Sm90Values values) {
        // A slot is free again when every role has read it, so one slot looks one tile ahead. More would promise
        // tiles to CTAs that are still busy. In ping-pong two tiles are under way at a time.
        return values.mode() == Mode.PINGPONG ? 2 : 1;
    }

    static int bytes(Sm90Values values) {
        int loadStages = values.loadStages();
        int stages = Math.ceilDiv(loadStages * values.stageBytes(), PANEL_ALIGNMENT) * PANEL_ALIGNMENT;
        int panels = values.consumers() * values.epilogueStages() * values.panelBytes();
        int barriers = 2 * loadStages * BARRIER_BYTES;
        return stages + panels + barriers + (values.scheduler().dynamic() ? ringBytes(values) : 0);
    }

    /** Records and barriers of the slots, and a barrier to wait at before a tile is asked for. */
    private static int ringBytes(Sm90Values values) {
        int slots = dynamicSlots(values) * (RING_RECORD_BYTES + 2 * BARRIER_BYTES);
        return values.throttle() == Throttle.NONE ? slots : slots + BARRIER_BYTES;
    }
}
