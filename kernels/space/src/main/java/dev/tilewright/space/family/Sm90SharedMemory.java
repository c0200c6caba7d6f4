package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.Sm90Config.Mode;
import java.util.List;

/**
 * Dynamic shared memory of a CTA, from the parameters that decide it and no others: stages, panels of the epilogue,
 * barriers of the stages, and for a dynamic scheduler the records and barriers of its ring.
 */
record Sm90SharedMemory(
        Scheduler scheduler,
        Throttle throttle,
        Mode mode,
        int consumers,
        int tileM,
        int tileN,
        int tileK,
        int loadStages,
        int epilogueN,
        int epilogueStages,
        Sm90Operands operands) {

    /** The parameters that decide it, beside the operands, which are the problem's. */
    static final List<String> PARAMETERS = List.of(
            "scheduler", "mode", "consumers", "tileM", "tileN", "tileK", "loadStages", "epilogueN", "epilogueStages");

    private static final int RING_RECORD_BYTES = 16;
    private static final int BARRIER_BYTES = 8;
    private static final int PANEL_ALIGNMENT = 1024;

    static Sm90SharedMemory of(Config config, Sm90Operands operands) {
        return new Sm90SharedMemory(
                Scheduler.of(config),
                Throttle.orNone(config),
                Mode.of(config),
                config.whole("consumers"),
                config.whole("tileM"),
                config.whole("tileN"),
                config.whole("tileK"),
                config.whole("loadStages"),
                config.whole("epilogueN"),
                config.whole("epilogueStages", Sm90Config.LEAST_PANELS),
                operands);
    }

    /** Slots of the scheduler's ring; 0 without one. */
    int ringSlots() {
        if (!scheduler.dynamic()) {
            return 0;
        }
        // A slot is free again when every role has read it, so one slot looks one tile ahead. More would promise
        // tiles to CTAs that are still busy. In ping-pong two tiles are under way at a time.
        return mode.warpgroupsPerTile(consumers) < consumers ? 2 : 1;
    }

    int bytes() {
        int stageBytes = (tileM + tileN) * tileK * operands.inputBytes();
        int panelBytes = Sm90Config.MMA_ROWS * epilogueN * operands.outputBytes();
        int panels = Math.ceilDiv(loadStages * stageBytes, PANEL_ALIGNMENT) * PANEL_ALIGNMENT;
        int barriers = panels + consumers * epilogueStages * panelBytes;
        int ring = barriers + 2 * loadStages * BARRIER_BYTES;
        int records = ringSlots() * (RING_RECORD_BYTES + 2 * BARRIER_BYTES);
        boolean waits = scheduler.dynamic() && throttle != Throttle.NONE;
        return ring + records + (waits ? BARRIER_BYTES : 0);
    }
}
