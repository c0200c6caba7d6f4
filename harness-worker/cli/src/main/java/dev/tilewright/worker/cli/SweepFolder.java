package dev.tilewright.worker.cli;

import dev.tilewright.model.text.Count;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.simulator.sweep.SweepFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stored sweeps, a file for each shape. Configs that a file has a time of keep it; so a sweep grows by one study after
 * the other, and giving one twice changes nothing.
 */
record SweepFolder(Path folder) {

    /** A file after a study was added to it. */
    record Added(Path file, int configs, int timed) {

        @Override
        public String toString() {
            return file + ": " + Count.of(configs, "config") + ", " + timed + " with a time";
        }
    }

    /**
     * Adds sweeps to their files.
     *
     * @throws IllegalArgumentException if a file is there that is no sweep of the shape
     */
    List<Added> add(List<StoredSweep> sweeps) throws IOException {
        List<Added> added = new ArrayList<>();
        for (StoredSweep sweep : sweeps) {
            Files.createDirectories(folder);
            Path file = SweepFile.of(folder, sweep.shape(), sweep.dtype());
            StoredSweep all = Files.exists(file) ? SweepFile.read(file).with(sweep) : sweep;
            SweepFile.write(all, file);
            added.add(new Added(file, all.rows().size(), all.timed().size()));
        }
        return added;
    }
}
