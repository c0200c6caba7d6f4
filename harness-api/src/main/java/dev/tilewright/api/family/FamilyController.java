package dev.tilewright.api.family;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The kernel families, with what may be set of their configs. */
@RestController
@Tag(name = "families")
record FamilyController(Families families) {

    @Operation(
            summary = "The kernel families, and the values that each parameter of a config may have",
            description = "Some values depend on the shape and on the number of SMs, such as the size of the grid.")
    @GetMapping("/api/v1/families")
    List<FamilyDocument> families(
            @Parameter(description = "Problem shape MxNxK") @RequestParam(defaultValue = "4096x4096x4096") String shape,
            @Parameter(description = "Element type of A and B") @RequestParam(defaultValue = "bf16") String dtype,
            @Parameter(description = "SMs of the GPU, from 1 to 1024") @RequestParam(defaultValue = "132") int sms) {
        if (sms < 1 || sms > 1024) {
            throw ApiProblem.invalid("sms", "must be from 1 to 1024, got " + sms);
        }
        Problem problem = Problem.of(
                ApiProblem.read("shape", shape, ProblemShape::parse), ApiProblem.read("dtype", dtype, DataType::parse));
        return families.all().stream()
                .map(family -> FamilyDocument.of(family, problem, DeviceLimits.of(sms)))
                .toList();
    }
}
