package dev.tilewright.simulator;

import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.simulator.sweep.SweepFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Stored sweeps without the kernels whose parameters or values are retired: no model describes those any more. */
final class SweepsOfToday {

    private SweepsOfToday() {}

    /** All sweeps of a folder, in the order of their names. */
    static List<StoredSweep> readAll(Path folder) throws IOException {
        return SweepFile.readAll(folder).stream().map(SweepsOfToday::of).toList();
    }

    private static StoredSweep of(StoredSweep sweep) {
        return new StoredSweep(
                sweep.family(),
                sweep.shape(),
                sweep.dtype(),
                sweep.pieces(),
                sweep.rows().stream().filter(row -> has(row.config())).toList());
    }

    /** Whether a kernel of today can have the config. */
    static boolean has(Config config) {
        return !config.has("streamK") && !config.name("rasterOrder").equals("hilbert");
    }
}
