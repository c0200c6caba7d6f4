package dev.tilewright.worker.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.link.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Documents of before there were others than scales of tensors stay as they are. */
class ScalesInDocumentsTest {

    private static final JsonMapper MAPPER = Json.mapper();
    private static final Problem TENSOR = new Problem(
            List.of(new ProblemShape(134, 264, 400)),
            1,
            new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16),
            OperandMajors.DEFAULT,
            Scenario.QUIET);

    @Test
    void theUsualOnesAreLeftOut() {
        String usual = MAPPER.writeValueAsString(TENSOR);
        assertThat(usual).doesNotContain("scales");
        assertThat(MAPPER.readValue(usual, Problem.class)).isEqualTo(TENSOR);
        assertThat(MAPPER.writeValueAsString(ProblemDocument.of(TENSOR))).doesNotContain("scales");
    }

    @Test
    void othersAreWrittenAndRead() {
        Problem rows = TENSOR.with(Scales.ROW);
        assertThat(MAPPER.writeValueAsString(rows)).contains("\"scales\":\"row\"");
        assertThat(MAPPER.readValue(MAPPER.writeValueAsString(rows), Problem.class))
                .isEqualTo(rows);
        String inShort = MAPPER.writeValueAsString(ProblemDocument.inShort(rows));
        assertThat(MAPPER.readValue(inShort, ProblemDocument.class).problem()).isEqualTo(rows);
    }
}
