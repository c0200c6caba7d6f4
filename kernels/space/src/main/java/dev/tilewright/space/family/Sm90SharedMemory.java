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
        return stages(values.loadStages(), values.stageBytes()) + besideStages(values);
    }

    /** The most stages that fit, from 2 to so many; 1 if no 2 do. */
    static int fitting(Sm90Values values, int bytes, int most) {
        int stageBytes = values.stageBytes();
        int left = bytes - besideStages(values);
        int stages = most;
        while (stages > 1 && stages(stages, stageBytes) > left) {
            stages--;
        }
        return stages;
    }

    /** So many stages with their barriers. */
    private static int stages(int count, int stageBytes) {
        return Math.ceilDiv(count * stageBytes, PANEL_ALIGNMENT) * PANEL_ALIGNMENT + 2 * count * BARRIER_BYTES;
    }

    private static int besideStages(Sm90Values values) {
        int panels = values.consumers() * values.epilogueStages() * values.panelBytes();
        return values.scheduler().dynamic() ? panels + ringBytes(values) : panels;
    }

    /** Records and barriers of the slots, and a barrier to wait at before a tile is asked for. */
    private static int ringBytes(Sm90Values values) {
        int slots = dynamicSlots(values) * (RING_RECORD_BYTES + 2 * BARRIER_BYTES);
        return values.throttle() == Throttle.NONE ? slots : slots + BARRIER_BYTES;
    }
}
