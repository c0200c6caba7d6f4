package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.Variable;
import java.util.List;

/** The rules that a launch must keep for a kernel to accept it. */
final class EntryRules {
    /** Shared memory that a CTA may have on sm_90 and sm_100, static and dynamic together. */
    private static final int MAX_SHARED_BYTES = 232_448;

    private static final int MAP_ALIGNMENT = 64;

    private EntryRules() {}

    /** The cluster of the launch: what is described, or else what the entry requires, or else one CTA. */
    static Extents cluster(Entry entry, LaunchDescription launch) {
        return launch.cluster()
                .orElseGet(() -> entry.launch()
                        .cluster()
                        .map(fixed -> new Extents(fixed.x(), fixed.y(), fixed.z()))
                        .orElse(Extents.of(1)));
    }

    /** Requires that the entry takes the launch. */
    static void require(PtxModule module, Entry entry, LaunchDescription launch) {
        LaunchBounds bounds = entry.launch();
        Extents block = launch.block();
        if (block.count() > bounds.maxThreads()) {
            throw new MisfitException("block: entry " + shown(entry) + " takes at most " + bounds.maxThreads()
                    + " threads (.maxntid or .reqntid), got " + text(block) + " = " + block.count());
        }
        bounds.threads().filter(LaunchBounds.Threads::exactly).ifPresent(exactly -> {
            if (!new Extents(exactly.x(), exactly.y(), exactly.z()).equals(block)) {
                throw new MisfitException("block: entry " + shown(entry) + " requires " + exactly.x() + "x"
                        + exactly.y() + "x" + exactly.z() + " (.reqntid), got " + text(block));
            }
        });
        Extents cluster = cluster(entry, launch);
        if (bounds.maxClusterCtas() > 0 && cluster.count() > bounds.maxClusterCtas()) {
            throw new MisfitException("cluster: entry " + shown(entry) + " takes at most " + bounds.maxClusterCtas()
                    + " CTAs (.maxclusterrank), got " + text(cluster));
        }
        if (bounds.explicitCluster()
                && bounds.cluster().isEmpty()
                && launch.cluster().isEmpty()) {
            throw new MisfitException("cluster: entry " + shown(entry) + " is launched with one (.explicitcluster)");
        }
        bounds.cluster().ifPresent(fixed -> {
            if (!new Extents(fixed.x(), fixed.y(), fixed.z()).equals(cluster)) {
                throw new MisfitException("cluster: entry " + shown(entry) + " requires " + fixed.x() + "x" + fixed.y()
                        + "x" + fixed.z() + " (.reqnctapercluster), got " + text(cluster));
            }
        });
        Extents grid = launch.grid();
        if (grid.x() % cluster.x() != 0 || grid.y() % cluster.y() != 0 || grid.z() % cluster.z() != 0) {
            throw new MisfitException(
                    "grid: must be a multiple of the cluster " + text(cluster) + ", got " + text(grid));
        }
        requireParameters(entry, launch.parameters());
        requireVariables(module, launch);
    }

    /** A buffer of the name of a variable is what the host wrote to that. */
    private static void requireVariables(PtxModule module, LaunchDescription launch) {
        for (Variable variable : module.variables()) {
            launch.buffers().stream()
                    .filter(buffer -> buffer.name().equals(variable.name()) && buffer.bytes() != variable.bytes())
                    .findFirst()
                    .ifPresent(buffer -> {
                        throw new MisfitException("buffers." + buffer.name() + ": the variable of this name has "
                                + variable.bytes() + " bytes, got " + buffer.bytes());
                    });
        }
    }

    /** Requires that the static shared memory leaves room for the dynamic one. */
    static void requireShared(Entry entry, int fixed, int dynamic) {
        if (fixed + dynamic > MAX_SHARED_BYTES) {
            throw new MisfitException("dynamicShared: a CTA has at most " + MAX_SHARED_BYTES
                    + " bytes of shared memory, of which " + shown(entry) + " has " + fixed + " already, got "
                    + dynamic);
        }
    }

    private static void requireParameters(Entry entry, List<KernelParameter> given) {
        List<Param> params = entry.params();
        if (params.size() != given.size()) {
            throw new MisfitException(
                    "parameters: entry " + shown(entry) + " has " + params.size() + ", got " + given.size());
        }
        for (int i = 0; i < given.size(); i++) {
            Param param = params.get(i);
            KernelParameter parameter = given.get(i);
            String named = "parameters[" + i + "]: " + ShownName.of(param.name()) + " of " + shown(entry);
            if (param.bytes() != parameter.bytes()) {
                throw new MisfitException(named + " has " + param.bytes() + " bytes, got " + kind(parameter) + " of "
                        + parameter.bytes());
            }
            if (holdsMap(parameter) && param.alignment() % MAP_ALIGNMENT != 0) {
                throw new MisfitException(
                        named + " is aligned to " + param.alignment() + " bytes, a tensor map needs " + MAP_ALIGNMENT);
            }
        }
    }

    private static boolean holdsMap(KernelParameter parameter) {
        return switch (parameter) {
            case KernelParameter.MapByValue _ -> true;
            case KernelParameter.Struct struct -> struct.fields().stream().anyMatch(field -> holdsMap(field.value()));
            case KernelParameter.Scalar _, KernelParameter.Pointer _, KernelParameter.NullPointer _ -> false;
            case KernelParameter.Raw _ -> false;
        };
    }

    private static String kind(KernelParameter parameter) {
        return switch (parameter) {
            case KernelParameter.MapByValue _ -> "a tensor map";
            case KernelParameter.Struct _ -> "a struct";
            case KernelParameter.Scalar scalar -> "a " + scalar.type();
            case KernelParameter.Pointer _, KernelParameter.NullPointer _ -> "a pointer";
            case KernelParameter.Raw _ -> "bytes";
        };
    }

    private static String shown(Entry entry) {
        return ShownName.of(entry.name());
    }

    static String text(Extents extents) {
        return extents.x() + "x" + extents.y() + "x" + extents.z();
    }
}
