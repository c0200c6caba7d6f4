package dev.tilewright.api.testing;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** {@code docs/result.schema.json}. */
public final class ResultSchema {

    private ResultSchema() {}

    /** What it finds wrong with the result of a job. */
    public static List<Error> errors(JsonNode result) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("../docs/result.schema.json")), InputFormat.JSON)
                .validate(result.toString(), InputFormat.JSON);
    }
}
