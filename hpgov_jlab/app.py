"""The server extension: starts and stops the service, registers the routes."""

from __future__ import annotations


from jupyter_server.extension.application import ExtensionApp

from .routes import handlers
from .service import Service
from .settings import HpgovSettings


class HpgovApp(ExtensionApp):
    """`jupyter server extension enable hpgov_jlab`; its knobs are HpgovSettings'."""

    name = "hpgov_jlab"
    classes = [HpgovSettings]  # noqa: RUF012 - as the base class declares it
    service: Service | None = None

    def initialize_handlers(self) -> None:
        assert self.serverapp is not None  # linked before its handlers are made
        lab = self.serverapp.config.get("LabApp", {}).get("user_settings_dir", "")
        self.service = Service(HpgovSettings(parent=self), root=str(self.serverapp.root_dir), user_settings=str(lab))
        self.handlers.extend(handlers(self.service))

    async def stop_extension(self) -> None:
        """Closes sockets; workers are daemons, so a dripping far end holds nothing up."""
        if self.service is not None:
            self.service.stop()
