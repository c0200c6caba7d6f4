package dev.tilewright.proof.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * The output of {@code bundle check --json}; {@code docs/bundle-check.schema.json} describes it.
 *
 * @param bundle its family
 * @param points combinations of values, whether or not they keep the constraints
 * @param tally how many configs ended how
 * @param assembled texts that the assembler of the machine took
 */
public record BundleProofDocument(
        int schemaVersion,
        String bundle,
        String sha256,
        String epilogue,
        long points,
        ProofPlan plan,
        Map<String, Long> tally,
        long assembled,
        List<Entry> proofs) {

    private static final int SCHEMA_VERSION = 1;

    /**
     * One config.
     *
     * @param errorRatio the largest error over what is allowed, of the runs that ended as they should
     * @param assembler what it says of the text where it refuses it
     */
    public record Entry(
            Config config, String verdict, long runs, double errorRatio, List<String> assembler, List<Shape> shapes) {}

    /**
     * One config on one problem.
     *
     * @param proof as {@code check --json} has it of a kernel file
     */
    public record Shape(ProblemShape shape, int batch, ObjectNode proof) {}

    /** @param refusals what the assembler says of the texts of configs that it refuses */
    public static BundleProofDocument of(
            Bundle bundle,
            ProofPlan plan,
            long assembled,
            List<BundleProof> proofs,
            Map<Config, List<String>> refusals) {
        Map<String, Long> tally = new LinkedHashMap<>();
        Arrays.stream(BundleProof.Word.values())
                .forEach(word -> tally.put(
                        word.toString(),
                        proofs.stream().filter(proof -> proof.word() == word).count()));
        return new BundleProofDocument(
                SCHEMA_VERSION,
                bundle.family(),
                bundle.hash(),
                bundle.epilogue().said(),
                bundle.points(),
                plan,
                tally,
                assembled,
                proofs.stream()
                        .map(proof -> entry(proof, refusals.getOrDefault(proof.config(), List.of())))
                        .toList());
    }

    private static Entry entry(BundleProof proof, List<String> refused) {
        return new Entry(
                proof.config(),
                proof.word().toString(),
                proof.runs(),
                proof.worstRatio(),
                refused,
                proof.shapes().stream()
                        .map(shape -> new Shape(
                                shape.problem().shape(), shape.problem().batch(), shape.document()))
                        .toList());
    }
}
