package dev.tilewright.api.token;

import dev.tilewright.api.platform.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Tokens over HTTP, for operators. */
@RestController
@Tag(name = "tokens")
record TokenController(TokenService service) {

    @Operation(
            summary = "Make a token",
            description = "The secret is in this answer and nowhere else: its SHA-256 is kept.",
            responses = @ApiResponse(responseCode = "201", description = "Made, with the secret"))
    @PostMapping("/api/v1/tokens")
    ResponseEntity<TokenDocument.CreatedToken> createToken(
            @RequestBody TokenRequest request, @Parameter(hidden = true) Caller caller) {
        return ResponseEntity.created(URI.create("/api/v1/tokens/" + request.name()))
                .cacheControl(CacheControl.noStore())
                .body(service.create(request, caller));
    }

    @Operation(summary = "All tokens, without their secrets")
    @GetMapping("/api/v1/tokens")
    TokenDocument.TokenList tokens() {
        return service.all();
    }

    @Operation(
            summary = "Revoke a token",
            description = "The replica that is asked refuses the token at once, every other one within 2 s.")
    @DeleteMapping("/api/v1/tokens/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revokeToken(
            @Parameter(description = "Name of the token") @PathVariable String name,
            @Parameter(hidden = true) Caller caller) {
        service.revoke(name, caller);
    }
}
