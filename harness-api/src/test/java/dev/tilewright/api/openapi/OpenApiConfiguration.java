package dev.tilewright.api.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.tilewright.api.platform.access.AllowedRoles;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.http.HttpProblem;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.lang.annotation.Annotation;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;

/**
 * Generates the OpenAPI document from the code of the service, and adds what the code does not say. Tests alone do it:
 * the service has the committed document in its jar, and none of the generator's libraries.
 */
@Configuration(proxyBeanMethods = false)
@PropertySource("classpath:dev/tilewright/api/openapi/springdoc.properties")
class OpenApiConfiguration {

    private static final String PROBLEM = "ProblemDetail";

    @Bean
    OpenAPI tilewright() {
        return new OpenAPI()
                .info(new Info()
                        .title("Tilewright")
                        .version("v1")
                        .description(
                                "Durations are in nanoseconds, rates in 10^12 operations a second, sizes in bytes. Every error"
                                        + " is a problem document of RFC 9457. Bodies are application/json; unknown query"
                                        + " parameters, unknown properties and keys that are there twice are refused."))
                .servers(List.of(new Server().url("/").description("the service itself")))
                .components(new Components()
                        .addSecuritySchemes(
                                "workerToken",
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description(
                                                "worker.token in the home folder of the service, or a token of the role worker"))
                        .addSecuritySchemes(
                                "userToken",
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description(
                                                "Where the service was started with --login or TILEWRIGHT_USER_TOKEN: the token of the"
                                                        + " operator, or one of the roles in x-roles")));
    }

    @Bean
    RecordJavadoc recordJavadoc() {
        return new RecordJavadoc();
    }

    /** The records of the exchange know of JSON alone: what they say there of their properties is said here too. */
    @Bean
    PropertyCustomizer wordsOfTheExchange() {
        return (schema, type) -> {
            // A property that is unwrapped has no schema of its own.
            if (schema != null && type.getCtxAnnotations() != null) {
                for (Annotation said : type.getCtxAnnotations()) {
                    if (said instanceof JsonPropertyDescription words) {
                        schema.setDescription(words.value());
                    } else if (said instanceof JsonProperty property
                            && !property.defaultValue().isEmpty()) {
                        schema.setDefault(property.defaultValue());
                    }
                }
                if (schema.getItems() != null) {
                    // They come with the annotations of their list.
                    schema.getItems().setDescription(null);
                }
            }
            return schema;
        };
    }

    private static Schema<?> problem() {
        Schema<?> fault = of("object")
                .addProperty("pointer", of("string").description("JSON pointer, or name of a parameter or header"))
                .addProperty("detail", of("string"));
        Schema<?> errors = of("array").items(fault);
        return of("object")
                .addProperty("type", of("string").format("uri"))
                .addProperty("title", of("string"))
                .addProperty("status", of("integer"))
                .addProperty("detail", of("string"))
                .addProperty("instance", of("string"))
                .addProperty("errors", errors);
    }

    /** OpenAPI 3.1 has a set of types; {@link Schema#type} alone is left out of its document. */
    private static Schema<Object> of(String type) {
        Schema<Object> schema = new Schema<>();
        schema.addType(type);
        return schema;
    }

    /**
     * Every operation may answer a problem. Its schema comes here, for those that nobody refers to before are left out.
     */
    @Bean
    OpenApiCustomizer problems() {
        return api -> {
            api.getComponents().addSchemas(PROBLEM, problem());
            ApiResponse answer = new ApiResponse()
                    .description("A problem document")
                    .content(new Content()
                            .addMediaType(
                                    HttpProblem.MEDIA_TYPE,
                                    new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + PROBLEM))));
            api.getPaths().values().stream()
                    .flatMap(path -> path.readOperations().stream())
                    .forEach(operation -> operation.getResponses().addApiResponse("default", answer));
        };
    }

    /** Users show a token where the service has one, and none where it has not. */
    @Bean
    OpenApiCustomizer userTokens() {
        return api -> api.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .filter(operation -> operation.getSecurity() == null)
                .forEach(operation -> operation.setSecurity(
                        List.of(new SecurityRequirement(), new SecurityRequirement().addList("userToken"))));
    }

    @Bean
    OpenApiCustomizer roles() {
        return api -> api.getPaths()
                .forEach((path, item) -> item.readOperationsMap()
                        .forEach((method, operation) -> operation.addExtension(
                                "x-roles",
                                AllowedRoles.to(method.name(), path).roles().stream()
                                        .sorted()
                                        .map(Role::toString)
                                        .toList())));
    }
}
