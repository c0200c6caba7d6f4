package dev.tilewright.api.platform.http;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the generated OpenAPI document cannot know by itself. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {

    private static final String PROBLEM = "Problem";

    @Bean
    OpenAPI tilewright() {
        return new OpenAPI()
                .info(new Info()
                        .title("Tilewright")
                        .version("v1")
                        .description(
                                "Durations are in nanoseconds, rates in 10^12 operations a second, sizes in bytes. Every error"
                                        + " is a problem document of RFC 9457."))
                .servers(List.of(new Server().url("/").description("the service itself")))
                .components(new Components()
                        .addSecuritySchemes(
                                "workerToken",
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("worker.token in the home folder of the service"))
                        .addSecuritySchemes(
                                "userToken",
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("TILEWRIGHT_USER_TOKEN of the service, where it has one"))
                        .addSchemas(PROBLEM, problem()));
    }

    private static Schema<?> problem() {
        Schema<Object> fault = new Schema<>();
        fault.type("object")
                .addProperty(
                        "pointer",
                        new Schema<>().type("string").description("JSON pointer, or name of a parameter or header"))
                .addProperty("detail", new Schema<>().type("string"));
        Schema<Object> errors = new Schema<>();
        errors.setType("array");
        errors.setItems(fault);
        return new Schema<>()
                .type("object")
                .addProperty("type", new Schema<>().type("string").format("uri"))
                .addProperty("title", new Schema<>().type("string"))
                .addProperty("status", new Schema<>().type("integer"))
                .addProperty("detail", new Schema<>().type("string"))
                .addProperty("instance", new Schema<>().type("string"))
                .addProperty("errors", errors);
    }

    /** Every operation may answer a problem. */
    @Bean
    OpenApiCustomizer problems() {
        return api -> api.getPaths()
                .values()
                .forEach(path -> path.readOperations()
                        .forEach(operation -> operation
                                .getResponses()
                                .addApiResponse(
                                        "default",
                                        new ApiResponse()
                                                .description("What was wrong")
                                                .content(new Content()
                                                        .addMediaType(
                                                                Problem.MEDIA_TYPE,
                                                                new MediaType()
                                                                        .schema(new Schema<>()
                                                                                .$ref("#/components/schemas/"
                                                                                        + PROBLEM)))))));
    }
}
