package dev.tilewright.ptx;

import dev.tilewright.ptx.LaunchBounds.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Declares the parameters, launch bounds and shared memory of a kernel, then its code. */
public final class EntryBuilder {
    private final String name;
    private final List<Param> params = new ArrayList<>();
    private final List<SharedDecl> staticShared = new ArrayList<>();
    private final SharedLayout.Allocator dynamicShared = new SharedLayout.Allocator();
    private final Body body = new Body();
    private LaunchBounds launch = new LaunchBounds(1024, 0, Optional.empty());
    private boolean inCode;

    EntryBuilder(String name) {
        this.name = name;
    }

    /** A parameter; parameters are passed in the order of these calls. */
    public Param param(String parameter, Param.Kind kind) {
        Param param = new Param(parameter, kind);
        param(param);
        return param;
    }

    /** The same of one that is at hand. */
    public void param(Param param) {
        requireOutsideCode("declare parameter '" + param.name() + "'");
        if (params.stream().anyMatch(p -> p.name().equals(param.name()))) {
            throw new IllegalArgumentException("parameter '" + param.name() + "' is already declared in entry " + name);
        }
        params.add(param);
    }

    public Param u32(String parameter) {
        return param(parameter, Param.Kind.U32);
    }

    public Param u64(String parameter) {
        return param(parameter, Param.Kind.U64);
    }

    public Param f32(String parameter) {
        return param(parameter, Param.Kind.F32);
    }

    /** A pointer to global memory, aligned to 16 bytes. */
    public Param pointer(String parameter) {
        return param(parameter, Param.Kind.POINTER);
    }

    /** A tensor map by value. */
    public Param tensorMap(String parameter) {
        return param(parameter, Param.Kind.TENSOR_MAP);
    }

    /** Most threads of a CTA, and CTAs that must fit on one SM (0: no promise). */
    public void launchBounds(int maxThreads, int minCtasPerSm) {
        launch = new LaunchBounds(maxThreads, minCtasPerSm, launch.cluster());
    }

    /** Fixes the cluster in CTAs; a plain launch then works. */
    public void cluster(int x, int y, int z) {
        launch = new LaunchBounds(launch.maxThreads(), launch.minCtasPerSm(), Optional.of(new Cluster(x, y, z)));
    }

    /** A range of the dynamic shared memory. */
    public SharedRegion shared(String region, int bytes, int alignment) {
        return dynamicShared.allocate(region, SharedRegion.Kind.DATA, bytes, alignment);
    }

    /** An array of mbarriers in the dynamic shared memory. */
    public SharedRegion barriers(String region, int count) {
        return dynamicShared.allocate(
                region, SharedRegion.Kind.BARRIERS, count * SharedRegion.BARRIER_BYTES, SharedRegion.BARRIER_BYTES);
    }

    /** A shared variable of fixed size beside the dynamic memory. */
    public SharedDecl staticShared(String variable, int bytes, int alignment) {
        SharedDecl decl = new SharedDecl(variable, bytes, alignment);
        staticShared.add(decl);
        return decl;
    }

    /** The dynamic shared memory so far. */
    public SharedLayout sharedLayout() {
        return dynamicShared.layout();
    }

    /** Appends code. */
    public void code(Consumer<CodeBuilder> code) {
        requireOutsideCode("open a second code block");
        inCode = true;
        CodeBuilder builder = new CodeBuilder(body, "entry " + name);
        code.accept(builder);
        builder.close();
        inCode = false;
    }

    Entry build() {
        return new Entry(
                name,
                Linkage.VISIBLE,
                params,
                launch,
                staticShared,
                dynamicShared.layout(),
                List.of(),
                body.registers(),
                body.roles,
                body.code);
    }

    private void requireOutsideCode(String action) {
        if (inCode) {
            throw new IllegalStateException(
                    "entry builder '" + name + "' cannot " + action + " while its block 'code' is open");
        }
    }
}
