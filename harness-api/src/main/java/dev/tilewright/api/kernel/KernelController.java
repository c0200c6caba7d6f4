package dev.tilewright.api.kernel;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The kernels of trials over HTTP. */
@RestController
@Tag(name = "studies")
record KernelController(KernelService kernels) {

    @Operation(summary = "The text of the kernel of a trial, PTX; 404 if it has none")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = MediaType.TEXT_PLAIN_VALUE, schema = @Schema(type = "string")))
    @GetMapping("/api/v1/trials/{id}/ptx")
    ResponseEntity<byte[]> ptx(@PathVariable UUID id) {
        return answer(kernels.find(id, KernelPart.PTX), MediaType.parseMediaType("text/plain;charset=UTF-8"));
    }

    @Operation(summary = "The cubin of a trial, as the worker assembled it; 404 if it has none")
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @GetMapping("/api/v1/trials/{id}/cubin")
    ResponseEntity<byte[]> cubin(@PathVariable UUID id) {
        return answer(kernels.find(id, KernelPart.CUBIN), MediaType.APPLICATION_OCTET_STREAM);
    }

    @Operation(
            summary =
                    "The launch of a trial: grid, tensor maps, workspaces, tables, as docs/launch-description.md says;"
                            + " 404 if it has none")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    @GetMapping("/api/v1/trials/{id}/launch")
    ResponseEntity<byte[]> launch(@PathVariable UUID id) {
        return answer(kernels.find(id, KernelPart.LAUNCH), MediaType.APPLICATION_JSON);
    }

    private static ResponseEntity<byte[]> answer(byte[] content, MediaType type) {
        return ResponseEntity.ok()
                .contentType(type)
                .header("X-Content-Type-Options", "nosniff")
                .body(content);
    }
}
