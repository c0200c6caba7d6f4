package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.epilogue.OutputPanels;
import dev.tilewright.gemm.epilogue.SumsWorkspace;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.kernel.TensorBox;
import dev.tilewright.gemm.kernel.TiledLaunchRule;
import dev.tilewright.gemm.mainloop.BlockScaledMainloop;
import dev.tilewright.gemm.mainloop.WgmmaMainloop;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.LaunchOverlap;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import dev.tilewright.space.sm90.Sm90Operands;
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
        return new GemmKernel(module, PtxWriter.write(module), traced, rule, sumError(typed.operands()));
    }

    private static SumError sumError(Sm90Operands operands) {
        return operands.blockScaled()
                ? BlockScaledMainloop.SUM_ERROR
                : WgmmaMainloop.sumError(operands.types().a());
    }

    private static KernelTraits traits(Sm90Config config, boolean traced) {
        return new KernelTraits(
                config.schedule().scheduler(),
                config.cluster().order(),
                traced,
                config.multiply().threads(),
                config.load().tileK(),
                boxes(config),
                config.operands().scales(),
                config.operands().scaled(),
                config.operands().epilogue(),
                split(config),
                config.split().parts(),
                config.schedule().launchOverlap() != LaunchOverlap.NONE);
    }

    private static List<TensorBox> boxes(Sm90Config config) {
        List<TensorBox> boxes = new ArrayList<>();
        config.load().operandTiles().forEach(tile -> boxes.add(TensorBox.of(tile)));
        boxes.addAll(new OutputPanels(config).boxes());
        return boxes;
    }

    private static Optional<KernelTraits.Split> split(Sm90Config config) {
        return config.split().pieces() == 1
                ? Optional.empty()
                : Optional.of(new KernelTraits.Split(
                        config.split().pieces(),
                        SumsWorkspace.tileBytes(config),
                        config.multiply().warpgroupsPerTile()));
    }
}
