package dev.tilewright.api.platform.access;

import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The API document says of each operation whose it is. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

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
