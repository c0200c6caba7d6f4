package dev.tilewright.api.web.frame;

import dev.tilewright.model.space.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Scripts and styles. Libraries have their version in their name, so that browsers need not ask again. */
@Configuration(proxyBeanMethods = false)
class PageConfiguration implements WebMvcConfigurer {

    private static final Duration YEAR = Duration.ofDays(365);

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/lib/**")
                .addResourceLocations("classpath:/pages/assets/lib/")
                .setCacheControl(CacheControl.maxAge(YEAR).cachePublic().immutable());
        registry.addResourceHandler("/assets/**")
                .addResourceLocations("classpath:/pages/assets/")
                // Every build has the same times in its archive: the content says whether it is another.
                .setUseLastModified(false)
                .setEtagGenerator(PageConfiguration::etag)
                .setCacheControl(CacheControl.noCache());
    }

    private static String etag(Resource resource) {
        try {
            return '"' + Sha256.hex(resource.getContentAsByteArray()) + '"';
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
