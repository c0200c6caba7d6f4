package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.async.AsyncQueue;
import dev.tilewright.emulator.launch.ClusterQueue;
import dev.tilewright.emulator.launch.GridAhead;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.tcgen05.TensorCores;
import dev.tilewright.emulator.warp.Footprint;
import dev.tilewright.emulator.warp.RunCounts;
import org.jspecify.annotations.Nullable;

/**
 * The state that the clusters of one run share. It knows no cluster, and not the program that they run.
 *
 * @param footprint of each CTA
 * @param happensBefore which accesses happened before which
 * @param choices of order in this run
 * @param taken what CTAs took by asking
 * @param async what is under way
 * @param queue clusters that were not launched yet
 * @param ahead the grid ahead of a launch that overlaps
 */
public record Device(
        Launch launch,
        Options options,
        Footprint footprint,
        Order happensBefore,
        LaunchMemory memory,
        Interleaving choices,
        RunCounts tally,
        BarrierUse barriers,
        TakenWork taken,
        AsyncQueue async,
        TensorCores tensorCores,
        ClusterQueue queue,
        @Nullable GridAhead ahead) {
    /** The device as a run finds it. */
    static Device of(
            Launch launch,
            Options options,
            Footprint footprint,
            Order happensBefore,
            LaunchMemory memory,
            Interleaving choices,
            BarrierUse barriers) {
        RunCounts tally = new RunCounts();
        AsyncQueue async = new AsyncQueue(choices);
        int clusters = launch.grid().count() / launch.cluster().count();
        // The queue makes its choices first, then the grid ahead: a seed means this order.
        ClusterQueue queue = new ClusterQueue(choices.permutation(clusters), options.launching(), choices);
        return new Device(
                launch,
                options,
                footprint,
                happensBefore,
                memory,
                choices,
                tally,
                barriers,
                new TakenWork(),
                async,
                new TensorCores(async, choices, tally),
                queue,
                launch.overlaps() ? new GridAhead(happensBefore, choices) : null);
    }
}
