package dev.tilewright.api.prediction;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The model's best configs of a problem, at once: no job, no GPU. */
@RestController
@Tag(name = "predictions")
record PredictionController(Families families) {

    /** The most configs that an answer may have. */
    private static final int MAX_CONFIGS = 64;

    private static final String SIMULATED = "simulated:";

    @Operation(
            summary = "The configs that the model of a GPU predicts to be fastest; nothing was measured",
            description =
                    "One config of each of the best tiles, the fastest first, with its predicted time, the share of"
                            + " the SMs that works, what limits the launch, and the options that try it.")
    @GetMapping("/api/v1/predictions")
    Predictions predictions(
            @Parameter(description = "Problem shape MxNxK, such as 4096x4096x4096") @RequestParam String shape,
            @Parameter(description = "Element type of A and B (default: bf16)")
                    @RequestParam(required = false)
                    @Nullable
                    String dtype,
            @Parameter(description = "One of " + DeviceSelector.SIMULATED)
                    @RequestParam(defaultValue = "simulated:h200")
                    String device,
            @Parameter(description = "Kernel family (default: that of the GPU)")
                    @RequestParam(required = false)
                    @Nullable
                    String family,
            @Parameter(description = "How many configs, from 1 to 64") @RequestParam(defaultValue = "8") int top) {
        if (top < 1 || top > MAX_CONFIGS) {
            throw ApiProblem.invalid("top", "must be from 1 to " + MAX_CONFIGS + ", got " + top);
        }
        DataType type = dtype == null ? DataType.BF16 : ApiProblem.read("dtype", dtype, DataType::parse);
        Problem problem = Problem.of(ApiProblem.read("shape", shape, ProblemShape::parse), type);
        GpuConstants gpu = ApiProblem.read("device", device, PredictionController::gpu);
        FamilySpace space =
                family == null ? Predictions.family(families, gpu) : ApiProblem.read("family", family, families::named);
        return ApiProblem.read("shape", shape, _ -> Predictions.of(space, problem, gpu, Map.of(), top));
    }

    private static GpuConstants gpu(String device) {
        if (!device.startsWith(SIMULATED)) {
            throw new IllegalArgumentException(
                    "must be a simulated GPU, such as simulated:h200: a model predicts, nothing is measured; got '"
                            + device + "'");
        }
        return SimulatedGpus.named(device.substring(SIMULATED.length()));
    }
}
