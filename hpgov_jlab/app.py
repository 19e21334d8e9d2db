"""The server extension: starts and stops the service, registers the routes.

Imported at every start of a Jupyter server: botocore, pydantic and the rest of what the service stands on come with the first request, beside the loop.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from jupyter_server.extension.application import ExtensionApp

from .routes import Answers, handlers
from .settings import HpgovSettings

if TYPE_CHECKING:
    from .service import Service


class HpgovApp(ExtensionApp):
    """`jupyter server extension enable hpgov_jlab`; its knobs are HpgovSettings'."""

    name = "hpgov_jlab"
    classes = [HpgovSettings]  # noqa: RUF012 - as the base class declares it
    service: Service | None = None
    _waking: asyncio.Task[Service] | None = None

    def initialize_handlers(self) -> None:
        settings = HpgovSettings(parent=self)  # here, so that a setting that is none is told at the start

        async def wake() -> Answers:
            if self.service is None:
                self._waking = self._waking or asyncio.ensure_future(self._wake(settings))
                return await asyncio.shield(self._waking)
            return self.service

        self.handlers.extend(handlers(wake))

    async def _wake(self, settings: HpgovSettings) -> Service:
        """Makes the service; its modules are imported in a thread, where half a second holds nobody up."""
        assert self.serverapp is not None  # linked before its handlers are made
        module = await asyncio.to_thread(import_module, f"{__package__}.service")
        lab = self.serverapp.config.get("LabApp", {}).get("user_settings_dir", "")
        self.service = module.Service(settings, root=str(self.serverapp.root_dir), user_settings=str(lab))
        return self.service

    async def stop_extension(self) -> None:
        """Closes sockets; workers are daemons, so a dripping far end holds nothing up."""
        if self._waking is not None:
            self._waking.cancel()
        if self.service is not None:
            self.service.stop()
