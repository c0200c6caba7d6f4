package dev.tilewright.api.platform.http;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The OpenAPI document of this version: {@code docs/openapi.json}, which a test generates from the code. */
@RestController
class ApiDocumentController {

    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    Resource document() {
        return new ClassPathResource("openapi.json");
    }
}
