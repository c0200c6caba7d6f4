package dev.tilewright.api.bundle;

import dev.tilewright.api.platform.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Bundles over HTTP. */
@RestController
@Tag(name = "bundles")
record BundleController(BundleService service) {

    private static final String ZIP = "application/zip";

    @Operation(
            summary = "Upload a bundle: the zip of a kernel.yaml and the files that it names, at most 16 MiB",
            description = "A bundle with the same files is the same version, and the newest of its name again. A job"
                    + " for family bundle:NAME tunes the newest at that time. 409 if all bundles together would have"
                    + " more bytes than the service takes.",
            responses = @ApiResponse(responseCode = "201", description = "Kept"))
    @PostMapping(path = "/api/v1/bundles", consumes = ZIP)
    ResponseEntity<BundleDocument> uploadBundle(@RequestBody byte[] zip, @Parameter(hidden = true) Caller caller) {
        BundleDocument kept = service.keep(zip, caller);
        return ResponseEntity.created(URI.create("/api/v1/bundles/" + kept.name()))
                .body(kept);
    }

    @Operation(summary = "The newest version of each bundle, by name")
    @GetMapping("/api/v1/bundles")
    BundleDocument.BundleList bundles() {
        return BundleDocument.BundleList.of(service.newest());
    }

    @Operation(summary = "The versions of a bundle, the newest first; 404 if there is none")
    @GetMapping("/api/v1/bundles/{name}")
    BundleDocument.BundleList bundleVersions(@PathVariable String name) {
        return BundleDocument.BundleList.of(service.versions(name));
    }

    @Operation(summary = "The files of a version of a bundle, as a zip; also for workers")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = ZIP, schema = @Schema(type = "string", format = "binary")))
    @GetMapping("/api/v1/bundles/{version}/zip")
    ResponseEntity<byte[]> bundleZip(
            @Parameter(description = "The first 16 digits of its hash") @PathVariable String version) {
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(ZIP))
                .header("X-Content-Type-Options", "nosniff")
                .body(service.zip(version));
    }

    @Operation(
            summary = "Delete a version of a bundle",
            description =
                    "The user who pushed it last may do this, and an operator. 409 while a job or a comparison that is"
                            + " not over uses it. Results stay. Its kernels cannot be built any more.")
    @DeleteMapping("/api/v1/bundles/{name}/{version}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteBundle(
            @PathVariable String name,
            @Parameter(description = "The first 16 digits of its hash") @PathVariable String version,
            @Parameter(hidden = true) Caller caller) {
        service.delete(name, version, caller);
    }
}
