package dev.tilewright.gemm.sm100;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.kernel.TensorBox;
import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.kernel.TiledLaunchRule;
import dev.tilewright.gemm.mainloop.TensorMainloop;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.ClusterOrder;
import dev.tilewright.space.sm100.Sm100Config;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The Blackwell family {@code sm100-gemm}: see {@link Sm100Kernel} for what it computes and how. */
public final class Sm100Gemm implements GemmFamily {

    /** Name of the entry in every module of the family. */
    public static final String ENTRY = "gemm";

    private final Sm100GemmSpace space = new Sm100GemmSpace();

    @Override
    public FamilySpace space() {
        return space;
    }

    @Override
    public GemmKernel build(Config config, boolean traced) {
        Sm100Config typed = Sm100Config.of(config);
        KernelTraits traits = traits(typed, traced);
        BoundParams<LaunchFacts> params = new BoundParams<>();
        PtxModule module = PtxModule.build(
                Target.SM_100A, m -> m.entry(ENTRY, entry -> new Sm100Kernel(typed, traits).build(entry, params)));
        TiledLaunchRule rule = new TiledLaunchRule(space, typed, Sm100Config::of, traits, module.entry(ENTRY), params);
        return new GemmKernel(module, PtxWriter.write(module), traced, rule, TensorMainloop.SUM_ERROR);
    }

    private static KernelTraits traits(Sm100Config config, boolean traced) {
        List<TensorBox> boxes = new ArrayList<>();
        config.load().operandTiles().forEach(tile -> boxes.add(TensorBox.of(tile)));
        int span = config.epilogue().panelN() * config.outputType().bytes();
        boxes.add(TensorBox.ofD(Matrix.D, config.outputType(), config.epilogue().panelN(), Sm100Config.CTA_ROWS, span));
        return new KernelTraits(
                config.schedule().scheduler(),
                ClusterOrder.LAUNCH,
                traced,
                config.threads(),
                config.load().tileK(),
                boxes,
                config.scales(),
                false,
                config.steps(),
                Optional.empty(),
                1,
                false);
    }
}
