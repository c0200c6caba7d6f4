package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.epilogue.SumsWorkspace;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.kernel.TensorBox;
import dev.tilewright.gemm.kernel.TiledLaunchRule;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.family.LaunchOverlap;
import dev.tilewright.space.family.LoadedRows;
import dev.tilewright.space.family.Sm90Config;
import dev.tilewright.space.family.Sm90GemmSpace;
import dev.tilewright.space.family.Sm90Operands;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The Hopper family {@code sm90-gemm}: see {@link Sm90Kernel} for what it computes and how. */
public final class Sm90Gemm implements GemmFamily {

    /** Name of the entry in every module of the family. */
    public static final String ENTRY = "gemm";

    private final Sm90GemmSpace space = new Sm90GemmSpace();

    @Override
    public FamilySpace space() {
        return space;
    }

    @Override
    public GemmKernel build(Config config, boolean traced) {
        Sm90Config typed = Sm90Config.of(config);
        KernelTraits traits = traits(typed, traced);
        BoundParams<LaunchFacts> params = new BoundParams<>();
        PtxModule module = PtxModule.build(
                Target.SM_90A, m -> m.entry(ENTRY, entry -> new Sm90Kernel(typed, traits).build(entry, params)));
        TiledLaunchRule rule = new TiledLaunchRule(space, typed, Sm90Config::of, traits, module.entry(ENTRY), params);
        return new GemmKernel(module, PtxWriter.write(module), traced, rule);
    }

    private static KernelTraits traits(Sm90Config config, boolean traced) {
        Sm90Operands operands = config.operands();
        List<TensorBox> d = new ArrayList<>(List.of(output(config, config.epilogueN())));
        if (config.narrowPanelN() > 0) {
            d.add(output(config, config.narrowPanelN()));
        }
        return new KernelTraits(
                config.scheduler(),
                config.clusterOrder(),
                traced,
                config.threads(),
                config.tileK(),
                input(config, operands.a(), operands.majorA(), config.loadRowsA()),
                input(config, operands.b(), operands.majorB(), config.loadRowsB()),
                d,
                new OperandMajors(operands.majorA(), operands.majorB(), Major.N),
                operands.scaled(),
                split(config),
                config.launchOverlap() != LaunchOverlap.NONE);
    }

    private static Optional<KernelTraits.Split> split(Sm90Config config) {
        return config.splitK() == 1
                ? Optional.empty()
                : Optional.of(new KernelTraits.Split(
                        config.splitK(), SumsWorkspace.tileBytes(config), config.warpgroupsPerTile()));
    }

    /** One span of the swizzle wide, of K or of the rows: of several that a stage holds, one at a time. */
    private static TensorBox input(Sm90Config config, DataType type, Major major, int loaded) {
        int span = config.swizzle() / type.bytes();
        int lines = major == Major.K ? LoadedRows.boxRows(loaded) : config.tileK();
        return new TensorBox(type, span, lines, Swizzle.of(config.swizzle()));
    }

    /** A panel: 64 rows of D, or where A and B are swapped as many columns. */
    private static TensorBox output(Sm90Config config, int columns) {
        DataType type = config.operands().d();
        if (config.swapAB()) {
            int span = Sm90Config.MMA_ROWS * type.bytes();
            return new TensorBox(type, Sm90Config.MMA_ROWS, columns, Swizzle.of(span));
        }
        return new TensorBox(type, columns, Sm90Config.MMA_ROWS, Swizzle.of(config.epilogueN() * type.bytes()));
    }
}
