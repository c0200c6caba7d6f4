package dev.tilewright.worker.cli.gate;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A kernel that a fresh service can run: the first bundle that lies in a folder, else the config that studies of our
 * usual family are timed beside.
 *
 * @param key {@code bundle} or {@code family}
 * @param origin path of the bundle, or name of the family
 * @param config without values for a bundle with one config
 */
record GateExample(String name, String key, String origin, Config config, Problem problem) {

    private static final int DEEPEST = 5;
    private static final List<Integer> EXTENTS = List.of(4096, 1024, 512, 256, 128, 64);

    static GateExample in(Path folder) throws IOException {
        List<Path> descriptions;
        try (Stream<Path> files = Files.find(
                folder,
                DEEPEST,
                (file, attributes) -> attributes.isRegularFile()
                        && file.endsWith(BundleFiles.DESCRIPTION)
                        && !isHidden(folder.relativize(file)))) {
            descriptions = files.sorted().toList();
        }
        for (Path description : descriptions) {
            Optional<GateExample> found = ofBundle(folder, description.getParent());
            if (found.isPresent()) {
                return found.get();
            }
        }
        return ofFamily();
    }

    private static boolean isHidden(Path below) {
        for (Path part : below) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    /** Empty if it is no bundle of ours, or takes no square problem. */
    private static Optional<GateExample> ofBundle(Path folder, Path directory) throws IOException {
        Path below = folder.relativize(directory);
        if (below.toString().isEmpty()) {
            return Optional.empty();
        }
        try {
            Bundle bundle = Bundle.read(BundleFiles.read(directory));
            return problems(bundle)
                    .flatMap(problem -> bundle.configs(problem, sms()).limit(1).map(config -> {
                        bundle.kernel(config);
                        return new GateExample(bundle.name(), "bundle", below.toString(), config, problem);
                    }))
                    .findFirst();
        } catch (BundleException foreign) {
            return Optional.empty();
        }
    }

    private static Stream<Problem> problems(Bundle bundle) {
        return Stream.concat(
                        bundle.problem().only().stream(),
                        EXTENTS.stream()
                                .map(extent -> bundle.problem().of(new ProblemShape(extent, extent, extent), 1)))
                .filter(problem -> bundle.problem().refusal(problem).isEmpty());
    }

    private static GateExample ofFamily() {
        FamilySpace family = GemmFamilies.standard().spaces().usual();
        int extent = EXTENTS.getFirst();
        Problem problem = Problem.of(new ProblemShape(extent, extent, extent), DataType.BF16);
        Config config = family.anchor(SpaceTree.of(family.space(problem, DeviceLimits.of(sms()))))
                .orElseThrow(() -> new IllegalStateException(family.family() + " declares no anchor"));
        return new GateExample("ours", "family", family.family(), config, problem);
    }

    private static int sms() {
        return SimulatedGpus.H200.topology().smCount();
    }
}
