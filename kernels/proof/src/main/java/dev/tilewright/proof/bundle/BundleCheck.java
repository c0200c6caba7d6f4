package dev.tilewright.proof.bundle;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.launch.reader.ReadLimits;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.CheckProgress;
import dev.tilewright.proof.file.FileDocument;
import dev.tilewright.proof.file.FileReport;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.proof.file.MisfitException;
import dev.tilewright.ptx.parse.PtxParseException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Proves configs of a bundle.
 *
 * @param programs runs the host program of a bundle that has one, or refuses to
 */
public record BundleCheck(Bundle bundle, HelperProgram.Runner programs, ProofPlan plan, CheckOptions options) {

    /** Of a bundle that is for one problem nobody can name a smaller one. A seed of so many takes some seconds. */
    private static final double MOST_MULTIPLY_ADDS = 0x1p29;

    /**
     * Runs a config on one problem after the other, until one is not as it should be. A shallow proof goes on: a later
     * problem may be deep enough.
     *
     * @throws BundleException if the bundle is wrong, its launch does not fit the kernel, or its PTX is none
     */
    public BundleProof check(Config config, List<Problem> problems) {
        return check(config, problems, _ -> options.progress());
    }

    /**
     * The same.
     *
     * @param progress of the problem at an index
     */
    public BundleProof check(Config config, List<Problem> problems, IntFunction<CheckProgress> progress) {
        List<ShapeProof> shapes = new ArrayList<>();
        for (int i = 0; i < problems.size(); i++) {
            CheckOptions told = new CheckOptions(options.stepLimit(), progress.apply(i));
            ShapeProof shape = check(config, problems.get(i), told);
            shapes.add(shape);
            boolean goesOn = switch (shape.verdict()) {
                case FileVerdict.Proved _, FileVerdict.Shallow _ -> true;
                case FileVerdict.Hazardous _, FileVerdict.Wrong _, FileVerdict.Unsupported _ -> false;
            };
            if (!goesOn) {
                break;
            }
        }
        return new BundleProof(config, shapes);
    }

    private ShapeProof check(Config config, Problem problem, CheckOptions told) {
        LaunchDescription launch = bundle.launch(problem, plan.sms(), config, programs);
        double multiplyAdds = problem.flops() / 2;
        if (bundle.problem().only().isPresent() && multiplyAdds > MOST_MULTIPLY_ADDS) {
            return unsupported(
                    problem,
                    bundle.kernel(config).file(),
                    List.of(String.format(
                            Locale.ROOT,
                            "%s: the bundle is for this problem alone, whose %.0f multiply-adds are more than the"
                                    + " emulator takes, %.0f; export the config for a smaller shape to prove it",
                            problem.shapes(),
                            multiplyAdds,
                            MOST_MULTIPLY_ADDS)));
        }
        requireEmulated(problem, launch);
        return switch (bundle.kernel(config)) {
            case BundleKernel.Binary binary ->
                unsupported(
                        problem,
                        binary.file(),
                        List.of(binary.file() + ": a cubin cannot be emulated; give its PTX, or time it unproved"));
            case BundleKernel.Text text -> check(text, problem, launch, config, told);
        };
    }

    private ShapeProof check(
            BundleKernel.Text kernel, Problem problem, LaunchDescription launch, Config config, CheckOptions told) {
        try {
            KernelFile file = KernelFile.of(
                    kernel.file(), kernel.ptx(), BundleFiles.DESCRIPTION, launch, Optional.of(kernel.entry()), plan);
            var checked = file.check(told);
            return new ShapeProof(
                    problem,
                    checked.verdict(),
                    new FileReport(file).verdict(checked),
                    new FileDocument(file).of(checked));
        } catch (PtxParseException unreadable) {
            List<String> lines = unreadable.problems().stream()
                    .map(wrong -> kernel.file() + ":" + wrong)
                    .toList();
            if (unreadable.problems().stream().allMatch(dev.tilewright.ptx.parse.ParseError::unsupported)) {
                return unsupported(problem, kernel.file(), lines);
            }
            throw new BundleException(where(problem, config) + ": is no valid PTX: " + String.join("; ", lines));
        } catch (MisfitException misfit) {
            throw new BundleException(where(problem, config) + ": " + misfit.getMessage());
        }
    }

    private static String where(Problem problem, Config config) {
        return (config.size() == 0 ? "" : config + " on ") + problem.shapes();
    }

    private static ShapeProof unsupported(Problem problem, String file, List<String> lines) {
        return new ShapeProof(
                problem,
                new FileVerdict.Unsupported(lines),
                FileReport.unsupported(lines),
                FileDocument.unsupported(Path.of(file), Path.of(BundleFiles.DESCRIPTION), lines));
    }

    private static void requireEmulated(Problem problem, LaunchDescription launch) {
        long bytes =
                launch.buffers().stream().mapToLong(BufferDescription::bytes).reduce(0, Math::addExact);
        if (bytes > ReadLimits.EMULATED.bytes()) {
            throw new BundleException(problem.shapes() + ": the emulator takes buffers of at most "
                    + ReadLimits.EMULATED.bytes() + " bytes, got " + bytes + "; check a smaller shape");
        }
        if (launch.grid().count() > ReadLimits.EMULATED.ctas()) {
            throw new BundleException(problem.shapes() + ": the emulator takes grids of at most "
                    + ReadLimits.EMULATED.ctas() + " CTAs, got " + launch.grid().count() + "; check a smaller shape");
        }
    }
}
