package dev.tilewright.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.launch.bundle.BundleParameter;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.family.VendorFamily;
import dev.tilewright.space.parameter.Scheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The search space of a bundle. Of a bundle no more is known than it says: it has no anchor, no words and no model, and
 * which of its parameters decide most is anybody's guess.
 *
 * @param family with its version
 * @param architecture of the GPUs that run its kernels
 */
public record BundleSpace(Bundle bundle, String family, Optional<Architecture> architecture) implements FamilySpace {

    /** The most bytes of the zip of one that a service takes. */
    public static final int MOST_ZIP_BYTES = 16 << 20;

    private static final String CLUSTER_M = "clusterM";
    private static final String CLUSTER_N = "clusterN";
    /** Rows of a cluster's tile if no parameter sets them. */
    private static final int ROWS = 64;

    private static final int COLUMNS = 64;
    private static final int DEPTH = 32;
    private static final int MOST_EXTENT = 4096;

    /** How the targets of these GPUs begin; texts for older ones run on the generation before. */
    private static final String BLACKWELL = "sm_10";
    /** Configs among which one with a kernel is looked for. */
    private static final long MOST_LOOKED_AT = 1000;

    /** @throws BundleException if no kernel of it can be had */
    public static BundleSpace of(Bundle bundle) {
        String family = BundleName.of(bundle.name(), bundle.hash()).toString();
        Architecture architecture =
                target(bundle, family).startsWith(BLACKWELL) ? Architecture.SM100 : Architecture.SM90;
        return new BundleSpace(bundle, family, Optional.of(architecture));
    }

    /**
     * The space of a bundle as a zip.
     *
     * @throws BundleException if it is none
     */
    public static BundleSpace unzipped(byte[] zip) throws IOException {
        return of(Bundle.read(BundleFiles.unzipped(new ByteArrayInputStream(zip))));
    }

    /** The target of the first existing kernel: a bundle need not have one for a config that breaks its rules. */
    private static String target(Bundle bundle, String family) {
        SearchSpace all = new SearchSpace(family, parameters(bundle), List.of());
        BundleException last = new BundleException("a bundle must have a kernel");
        for (long point = 0; point < Math.min(all.points(), MOST_LOOKED_AT); point++) {
            try {
                return bundle.kernel(all.point(point)).target();
            } catch (BundleException absent) {
                last = absent;
            }
        }
        throw last;
    }

    private static List<Parameter> parameters(Bundle bundle) {
        return bundle.parameters().stream()
                .map(parameter -> new Parameter(parameter.name(), Parameter.Kind.TEXT, parameter.values()))
                .toList();
    }

    @Override
    public String maker() {
        return BundleName.maker(architecture);
    }

    @Override
    public boolean isModelled() {
        return false;
    }

    @Override
    public Optional<String> refusal(Problem problem) {
        if (bundle.hasHelper() && !bundle.isRecorded(problem)) {
            return Optional.of(
                    family + " asks a program of the host for its launch, which no service runs, and has none"
                            + " recorded for " + problem.shapes() + ": 'bundle record' does it");
        }
        if (!problem.epilogue().isNone() && !problem.epilogue().equals(bundle.epilogue())) {
            return Optional.of("epilogue = " + problem.epilogue() + ": that of " + family + " is "
                    + bundle.epilogue().said());
        }
        return told(() -> bundle.problem().refusal(problem)).map(reason -> family + " " + reason);
    }

    @Override
    public Epilogue epilogue(Problem problem) {
        return bundle.epilogue();
    }

    @Override
    public Optional<String> withoutText(Config config) {
        return bundle.kernel(config) instanceof BundleKernel.Binary binary
                ? Optional.of(binary.file() + " is a cubin, in front of which no wait can be put: bring its PTX")
                : Optional.empty();
    }

    @Override
    public List<String> tile() {
        return bundle.parameters().stream()
                .map(BundleParameter::name)
                .filter(name -> !name.equals(Scheduler.KEY.name()))
                .toList();
    }

    /** By the parameters that are called as ours are. */
    @Override
    public Blocking blocking(Config config) {
        int clusterM = whole(config, CLUSTER_M, 1);
        int clusterN = whole(config, CLUSTER_N, 1);
        return new Blocking(
                whole(config, "tileM", ROWS) * clusterM,
                whole(config, "tileN", COLUMNS) * clusterN,
                whole(config, "tileK", DEPTH),
                clusterM * clusterN,
                1);
    }

    /** A parameter of such a name may mean something else: what is no extent of a tile says nothing of one. */
    private static int whole(Config config, String parameter, int otherwise) {
        return config.has(parameter)
                        && config.value(parameter) instanceof ParameterValue.Whole(int value)
                        && value >= 1
                        && value <= MOST_EXTENT
                ? value
                : otherwise;
    }

    /** The vendor's kernels, and those of our family on the same GPUs. */
    @Override
    public List<String> peers() {
        return Stream.concat(
                        Stream.of(VendorFamily.NAME),
                        architecture.flatMap(Families.standard()::of).map(FamilySpace::family).stream())
                .toList();
    }

    /** All configs: nobody knows before they run which of them are good. */
    @Override
    public Stream<Config> rivals(SpaceTree space) {
        return space.configs();
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        return new SearchSpace(
                family,
                parameters(bundle),
                bundle.constraints().stream()
                        .map(constraint -> new Constraint(
                                constraint.id(),
                                constraint.parameters(),
                                config -> told(() -> constraint.broken(problem, limits.smCount(), config))))
                        .toList());
    }

    /** A rule that cannot be computed is one that is not kept. */
    private static Optional<String> told(Supplier<Optional<String>> rule) {
        try {
            return rule.get();
        } catch (BundleException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }
}
