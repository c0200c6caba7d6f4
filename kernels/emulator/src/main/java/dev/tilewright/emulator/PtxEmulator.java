package dev.tilewright.emulator;

import dev.tilewright.emulator.execute.Instructions;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.machine.Executable;
import dev.tilewright.emulator.machine.Grid;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.run.UnfitLaunchException;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.parse.ParsedModule;
import dev.tilewright.ptx.parse.Position;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Runs the launches of one entry; decodes it once. Runs do not share anything else, so they may go on at the same time.
 */
public final class PtxEmulator {
    private final Program program;
    private final Executable executable;

    /**
     * Prepares an entry of a module.
     *
     * @throws UnsupportedKernelException naming every instruction that is not emulated
     */
    public PtxEmulator(PtxModule module, String entry) {
        this(module, entry, List.of());
    }

    /**
     * Prepares an entry of a text; findings name the text's own lines.
     *
     * @throws UnsupportedKernelException naming every instruction that is not emulated
     */
    public PtxEmulator(ParsedModule parsed, String entry) {
        this(parsed.module(), entry, parsed.positions().getOrDefault(entry, List.of()));
    }

    private PtxEmulator(PtxModule module, String entry, List<Position> positions) {
        program = new Program(module, entry, positions);
        executable = new Executable(program, new Instructions());
    }

    /** Bytes of static shared memory that a CTA of the entry has. */
    public int staticShared() {
        return program.shared().staticBytes();
    }

    /**
     * Runs a launch to its end, or to the first hazard behind which no run goes on.
     *
     * @throws UnfitLaunchException if the launch does not fit the entry
     */
    public RunEnd run(Launch launch, Options options) {
        return run(launch, options, _ -> {});
    }

    /**
     * As above.
     *
     * @param progress told now and then how many warp instructions were executed
     */
    public RunEnd run(Launch launch, Options options, LongConsumer progress) {
        requireFits(launch);
        Grid grid = new Grid(executable, launch, options, progress);
        List<Finding> findings = grid.run();
        return findings.stream().allMatch(finding -> finding.rule().passes(options.accepted()))
                ? new RunEnd.Completed(grid.statistics(), grid.global().contents(), findings)
                : new RunEnd.Faulted(grid.statistics(), grid.global().contents(), findings);
    }

    private void requireFits(Launch launch) {
        String name = program.entry().name();
        if (!launch.entry().equals(name)) {
            throw new UnfitLaunchException("a launch of " + launch.entry() + " for the entry " + name);
        }
        LaunchBounds bounds = program.entry().launch();
        if (launch.block().count() > bounds.maxThreads()) {
            throw new UnfitLaunchException(
                    "entry " + name + " takes " + bounds.maxThreads() + " threads, got " + launch.block());
        }
        Optional<LaunchBounds.Cluster> fixed = bounds.cluster();
        Dim3 cluster = launch.cluster();
        if (fixed.isPresent()
                && (fixed.get().x() != cluster.x()
                        || fixed.get().y() != cluster.y()
                        || fixed.get().z() != cluster.z())) {
            throw new UnfitLaunchException("entry " + name + " has clusters of " + fixed.get() + ", got " + cluster);
        }
    }
}
