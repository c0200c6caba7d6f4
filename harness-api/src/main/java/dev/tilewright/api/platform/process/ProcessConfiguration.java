package dev.tilewright.api.platform.process;

import dev.tilewright.api.platform.ServiceSettings;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A service that was not started by {@code serve}, which brings its worker along, has none. */
@Configuration(proxyBeanMethods = false)
class ProcessConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LocalWorker localWorker(ServiceSettings settings) {
        return new LocalWorker(settings.files(), "none", "text", null);
    }
}
