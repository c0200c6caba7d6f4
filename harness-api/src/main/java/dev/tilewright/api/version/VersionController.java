package dev.tilewright.api.version;

import dev.tilewright.api.platform.Build;
import dev.tilewright.api.platform.database.SchemaVersion;
import dev.tilewright.model.exchange.Protocol;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Versions over HTTP. */
@RestController
@Tag(name = "version")
record VersionController(SchemaVersion schema) {

    /**
     * The versions of this service.
     *
     * @param build commit that it was built from
     * @param protocol what it speaks with workers; one that speaks another is refused
     * @param schema of its database
     */
    record Version(String build, int protocol, String schema) {}

    @Operation(summary = "Build, protocol of workers and schema of the database")
    @GetMapping("/api/v1/version")
    Version version() {
        return new Version(Build.commit(), Protocol.VERSION, schema.current());
    }
}
