package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.space.FamilySpace;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.gemm.space.Sm90GemmSpace;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Target;

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
        PtxModule module = PtxModule.build(
                Target.SM_90A, m -> m.entry(ENTRY, entry -> new Sm90Kernel(typed, traced).build(entry)));
        return new GemmKernel(
                module, PtxWriter.write(module), traced, new Sm90LaunchRule(space, typed, traced, module.entry(ENTRY)));
    }
}
