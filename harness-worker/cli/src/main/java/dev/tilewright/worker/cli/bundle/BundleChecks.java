package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.text.Count;
import dev.tilewright.proof.bundle.BundleCheck;
import dev.tilewright.proof.bundle.BundleProof;
import dev.tilewright.proof.bundle.BundleProofDocument;
import dev.tilewright.proof.bundle.ConfigDraw;
import dev.tilewright.proof.bundle.ShapeDraw;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.CheckProgress;
import dev.tilewright.worker.cli.CheckLines;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code bundle check}: one line for each config. */
record BundleChecks(TextAssembler assembler, CheckLines progress, Printer out) {

    ExitCode run(Path path, BundleCheckOptions options) throws IOException {
        ProofPlan plan = options.plan();
        CheckOptions strict = options.run(progress);
        if (!Files.exists(path)) {
            throw CommandFailedException.usage(path + ": there is no such folder or zip");
        }
        try {
            Bundle bundle = Bundle.read(BundleFiles.read(path));
            HelperProgram.Runner programs = new HostPrograms(path, options.helper(), HostPrograms.USUAL_LIMIT);
            out.println(bundle.family() + " (sha256 " + bundle.hash() + "): "
                    + Count.of(bundle.points(), "config", "combinations of values") + ", epilogue "
                    + bundle.epilogue().said());
            return prove(bundle, new BundleCheck(bundle, programs, plan, strict), options);
        } catch (BundleException wrong) {
            throw CommandFailedException.usage(path + ": " + wrong.getMessage(), wrong);
        }
    }

    private ExitCode prove(Bundle bundle, BundleCheck check, BundleCheckOptions options) throws IOException {
        ProofPlan plan = check.plan();
        List<Problem> asked = options.problems(bundle.problem());
        List<Problem> problems = asked.isEmpty() ? ShapeDraw.of(bundle, plan.sms(), plan.seed()) : asked;
        if (problems.isEmpty()) {
            throw new BundleException(
                    "no small shape was found that the bundle takes and has a config for; name one with --shape");
        }
        Map<Config, List<Problem>> configs =
                new ConfigDraw(bundle, plan.sms(), options.settings(), plan.seed()).of(problems, options.trials());
        if (configs.isEmpty()) {
            throw new BundleException("no config keeps the constraints for "
                    + problems.stream().map(Problem::shapes).collect(Collectors.joining(", ")));
        }
        AssembledTexts texts = new AssembledTexts(assembler);
        List<BundleProof> proofs = new ArrayList<>();
        Map<Config, List<String>> refusals = new HashMap<>();
        configs.forEach((config, allowed) -> {
            List<String> refused = texts.refusal(bundle.kernel(config));
            BundleProof proof =
                    check.check(config, allowed, shape -> at(proofs.size(), configs.size(), shape, allowed.size()));
            progress.clear();
            proofs.add(proof);
            refusals.put(config, refused);
            lines(proof, refused).forEach(out::println);
        });
        out.println(texts.summary());
        long others = bundle.points() - proofs.size();
        if (others > 0 && options.settings().isEmpty()) {
            out.println(
                    others + " more combinations of values are not proved: they were not drawn, or keep the constraints"
                            + " at none of these shapes (--all, --shape)");
        }
        out.println(summary(proofs, plan, problems));
        if (options.json().isPresent()) {
            BundleProofDocument document = BundleProofDocument.of(bundle, plan, texts.assembled(), proofs, refusals);
            Json.writeAtomically(options.json().get(), Json.pretty().writeValueAsBytes(document));
        }
        return texts.refused() > 0 ? ExitCode.NEGATIVE : exit(proofs);
    }

    /** A shape of a config; both count from 0. */
    private CheckProgress at(int config, int configs, int shape, int shapes) {
        double part = 1.0 / configs;
        return progress.within(
                (config + (double) shape / shapes) * part,
                part / shapes,
                "config " + (config + 1) + " of " + configs + ", shape " + (shape + 1) + " of " + shapes);
    }

    private static List<String> lines(BundleProof proof, List<String> refused) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-11s  %s  %s, %s, largest error %.3f of what is allowed%s",
                proof.word().toString(),
                proof.config().size() == 0 ? "the only config" : proof.config().canonical(),
                Count.of(proof.shapes().size(), "shape"),
                Count.of(proof.runs(), "run"),
                proof.worstRatio(),
                proof.accepted()));
        refused.forEach(line -> lines.add("  assembler: " + line));
        proof.fault().ifPresent(shape -> {
            lines.add("  on " + shape.problem().shapes() + ":");
            shape.lines().forEach(line -> lines.add("  " + line));
        });
        return lines;
    }

    private static String summary(List<BundleProof> proofs, ProofPlan plan, List<Problem> problems) {
        Map<BundleProof.Word, Long> counts =
                proofs.stream().collect(Collectors.groupingBy(BundleProof::word, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey())
                        .collect(Collectors.joining(", "))
                + " of " + Count.of(proofs.size(), "config") + " at "
                + problems.stream().map(Problem::shapes).collect(Collectors.joining(", ")) + "; " + plan.gpu() + ", "
                + plan.seedRange();
    }

    private static ExitCode exit(List<BundleProof> proofs) {
        boolean whole = true;
        for (BundleProof proof : proofs) {
            switch (proof.word()) {
                case HAZARD, MISMATCH -> {
                    return ExitCode.NEGATIVE;
                }
                case SHALLOW, UNSUPPORTED -> whole = false;
                case PROVED -> {}
            }
        }
        return whole ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }
}
