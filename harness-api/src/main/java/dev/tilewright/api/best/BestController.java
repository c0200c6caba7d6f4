package dev.tilewright.api.best;

import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The best known configs over HTTP. */
@RestController
@Tag(name = "best")
record BestController(BestStudies studies, BestList list) {

    @Operation(
            summary =
                    "The best config of each problem on each real testbed: of all finals the one whose interval is best")
    @GetMapping("/api/v1/best")
    BestConfigs best(
            @Parameter(description = "MxNxK, or the shapes of several groups joined by +; all problems if left out")
                    @RequestParam(required = false)
                    @Nullable
                    String shape,
            @Parameter(description = "Element type of A and B; all if left out")
                    @RequestParam(required = false)
                    @Nullable
                    String dtype,
            @Parameter(description = "Types of A, B and D in place of dtype, such as e4m3,e5m2,bf16")
                    @RequestParam(required = false)
                    @Nullable
                    String types,
            @Parameter(
                            description =
                                    "Dimensions of A, B and D whose neighbours are neighbours in memory, such as m,k,n")
                    @RequestParam(required = false)
                    @Nullable
                    String major,
            @Parameter(description = "How many GEMMs of the shape a launch does")
                    @RequestParam(required = false)
                    @Nullable
                    Integer batch,
            @Parameter(description = "Elements of inputs of 8 bits that share a scale: tensor, row or block")
                    @RequestParam(required = false)
                    @Nullable
                    String scales,
            @Parameter(description = "Epilogue: steps applied to the sums before they are stored, such as bias,gelu")
                    @RequestParam(required = false)
                    @Nullable
                    String epilogue,
            @Parameter(description = "Whether launches overlap (programmatic dependent launch)")
                    @RequestParam(defaultValue = "false")
                    boolean overlap,
            @Parameter(description = "Part of the name of a device, in letters of any case; all if left out")
                    @RequestParam(required = false)
                    @Nullable
                    String testbed,
            @Parameter(
                            description =
                                    "A family; bundle:NAME for the newest version of a bundle that has a final for"
                                            + " the question, bundle:NAME@VERSION for one of them")
                    @RequestParam(required = false)
                    @Nullable
                    String family,
            @Parameter(
                            description = "Where nothing is known of the shape, answer the nearest one of which"
                                    + " something is, and say so")
                    @RequestParam(defaultValue = "false")
                    boolean nearest) {
        AskedProblem asked = new AskedProblem(shape, dtype, types, major, batch, scales, epilogue, overlap);
        Problem whole = asked.isWhole() ? asked.whole() : null;
        if (whole != null && !whole.isPlain()) {
            return new BestConfigs(BestList.NOTE, null, list.of(BestRepository.Question.of(whole, testbed, family)));
        }
        ProblemShape wanted = whole == null ? asked.plainShape() : whole.shape();
        DataType type = whole == null ? asked.type() : whole.types().a();
        BestRepository.Question question = BestRepository.Question.of(wanted, type, testbed, family);
        List<BestConfigs.BestConfig> exact = list.of(question);
        if (!exact.isEmpty() || !nearest || wanted == null) {
            return new BestConfigs(BestList.NOTE, null, exact);
        }
        return studies.nearest(question)
                .map(found -> new BestConfigs(BestList.NOTE, said(wanted, found), list.of(question.of(found))))
                .orElse(new BestConfigs(BestList.NOTE, null, List.of()));
    }

    private static BestConfigs.Nearest said(ProblemShape asked, ProblemShape found) {
        return new BestConfigs.Nearest(
                asked.toString(),
                found.toString(),
                factor(asked.m(), found.m()) * factor(asked.n(), found.n()) * factor(asked.k(), found.k()));
    }

    private static double factor(double one, double other) {
        return Math.max(one / other, other / one);
    }
}
